import type { FastifyInstance, FastifyRequest } from 'fastify'
import { userOf } from './auth-routes.ts'
import { DetailAnswer, InvalidRequest, notFound } from './fault.ts'
import {
  CATEGORIES,
  type Library,
  type ListFilter,
  ORIGINS,
  type StoredImage,
  timestamp,
} from './library.ts'
import { missing, QueryReader, readBody, readImageNames } from './read-request.ts'
import { imageRecord, imageUrls } from './records.ts'
import { ImageRights } from './rights.ts'
import { storeUpload } from './store-upload.ts'

interface ByName {
  Params: { image_name: string }
}

const MEDIA_CACHE = 'max-age=31536000'

/** Adds the image routes. */
export function addImageRoutes(app: FastifyInstance, library: Library): void {
  const rights = new ImageRights(library)
  const imageOf = (request: FastifyRequest<ByName>): StoredImage => {
    const image = library.images.get(request.params.image_name)
    const user = userOf(request)
    // Only admins learn that an image exists which they may not see.
    if (image !== undefined && rights.maySee(user, image)) return image
    if (!user.is_admin) throw new DetailAnswer(403, 'Not authorized to access this image')
    throw notFound()
  }
  const toChange = (request: FastifyRequest, names: readonly string[]): StoredImage[] => {
    const images = names.flatMap((name) => library.images.get(name) ?? [])
    rights.assertChange(request, images)
    return images
  }

  app.post('/api/v1/images/upload', async (request, reply) => {
    const query = new QueryReader(request.query)
    const category = query.oneOf('image_category', CATEGORIES)
    const isIntermediate = query.isTrue('is_intermediate')
    const boardId = query.text('board_id')
    if (category === undefined)
      throw new InvalidRequest([missing(['query', 'image_category'], null)])
    if (isIntermediate === undefined) {
      throw new InvalidRequest([missing(['query', 'is_intermediate'], null)])
    }
    const parts = await readParts(request)
    if (boardId !== undefined && !library.boards.has(boardId)) throw notFound('Board not found')
    rights.assertAdd(request, boardId)
    if (!parts.mediaType.startsWith('image')) throw new DetailAnswer(415, 'Not an image')
    const image = await storeUpload(parts.bytes, {
      userId: userOf(request).user_id,
      category,
      isIntermediate,
      boardId: boardId ?? null,
      sessionId: query.text('session_id') ?? null,
      metadata: parts.texts.metadata,
      resizeTo: parts.texts.resize_to,
    })
    library.images.set(image.image_name, image)
    const record = imageRecord(image)
    return reply.code(201).header('location', record.image_url).send(record)
  })

  app.get('/api/v1/images/', (request) => {
    const query = new QueryReader(request.query)
    const offset = query.integerIn('offset', 0, Number.POSITIVE_INFINITY) ?? 0
    const limit = query.integerIn('limit', 0, 1000) ?? 10
    const images = rights.seen(request, library.list(readFilter(query)))
    const items = images.slice(offset, offset + limit).map(imageRecord)
    return { limit, offset, total: images.length, items }
  })

  app.get('/api/v1/images/names', (request) => {
    const filter = readFilter(new QueryReader(request.query))
    const images = rights.seen(request, library.list(filter))
    return {
      image_names: images.map((image) => image.image_name),
      starred_count: filter.starredFirst ? images.filter((image) => image.starred).length : 0,
      total_count: images.length,
    }
  })

  app.post('/api/v1/images/images_by_names', (request) => {
    const names = readImageNames(request.body)
    const images = names.flatMap((name) => library.images.get(name) ?? [])
    return rights.seen(request, images).map(imageRecord)
  })

  app.get<ByName>('/api/v1/images/i/:image_name', (request) => imageRecord(imageOf(request)))

  app.route<ByName>({
    method: ['GET', 'HEAD'],
    url: '/api/v1/images/i/:image_name/full',
    handler: (request, reply) => {
      const image = imageOf(request)
      return reply
        .header('cache-control', MEDIA_CACHE)
        .header('content-disposition', `inline; filename="${image.image_name}"`)
        .type('image/png')
        .send(image.png)
    },
  })

  app.get<ByName>('/api/v1/images/i/:image_name/thumbnail', (request, reply) =>
    reply.header('cache-control', MEDIA_CACHE).type('image/webp').send(imageOf(request).thumbnail),
  )

  app.get<ByName>('/api/v1/images/i/:image_name/metadata', (request, reply) =>
    reply.type('application/json').send(JSON.stringify(imageOf(request).metadata)),
  )

  app.get<ByName>('/api/v1/images/i/:image_name/workflow', (request) => {
    const { workflow, graph } = imageOf(request)
    return { workflow, graph }
  })

  app.get<ByName>('/api/v1/images/i/:image_name/urls', (request) => ({
    image_name: request.params.image_name,
    ...imageUrls(request.params.image_name),
  }))

  app.patch<ByName>('/api/v1/images/i/:image_name', (request) => {
    const body = readBody(request.body)
    const image = library.images.get(request.params.image_name)
    if (image === undefined) throw new DetailAnswer(400, 'Failed to update image')
    rights.assertChange(request, [image])
    // InvokeAI accepts and ignores other keys, including `board_id`.
    for (const key of ['image_category', 'session_id', 'is_intermediate', 'starred'] as const) {
      if (body[key] !== undefined && body[key] !== null) Object.assign(image, { [key]: body[key] })
    }
    image.updated_at = timestamp()
    return imageRecord(image)
  })

  const setStarred = (request: FastifyRequest, starred: boolean) => {
    const images = toChange(request, readImageNames(request.body))
    for (const image of images) image.starred = starred
    return {
      affected_boards: [...new Set(images.map((image) => image.board_id ?? 'none'))],
      names: images.map((image) => image.image_name),
    }
  }
  app.post('/api/v1/images/star', (request) => {
    const { affected_boards, names } = setStarred(request, true)
    return { affected_boards, starred_images: names, failed_images: [] }
  })
  app.post('/api/v1/images/unstar', (request) => {
    const { affected_boards, names } = setStarred(request, false)
    return { affected_boards, unstarred_images: names, failed_images: [] }
  })

  app.post('/api/v1/images/', () => {
    throw new DetailAnswer(501, 'Not implemented')
  })

  app.delete<ByName>('/api/v1/images/i/:image_name', (request) => {
    const names = [request.params.image_name]
    if (toChange(request, names).length === 0) throw notFound('Image not found')
    return library.delete(names)
  })
  app.post('/api/v1/images/delete', (request) => {
    const names = readImageNames(request.body)
    toChange(request, names)
    return library.delete(names)
  })
  app.delete('/api/v1/images/uncategorized', (request) => {
    const images = rights.seen(request, library.imagesOn('none'))
    return library.delete(images.map((image) => image.image_name))
  })

  const intermediates = () => [...library.images.values()].filter((image) => image.is_intermediate)
  app.get('/api/v1/images/intermediates', () => intermediates().length)
  app.delete('/api/v1/images/intermediates', () => {
    return library.delete(intermediates().map((image) => image.image_name)).deleted_images.length
  })
}

export function readFilter(query: QueryReader, originKey = 'image_origin'): ListFilter {
  return {
    boardId: query.text('board_id'),
    categories: query.listOf('categories', CATEGORIES),
    origin: query.oneOf(originKey, ORIGINS),
    isIntermediate: query.isTrue('is_intermediate'),
    searchTerm: query.text('search_term'),
    starredFirst: query.isTrue('starred_first') ?? true,
    orderDir: query.oneOf('order_dir', ['ASC', 'DESC']) ?? 'DESC',
  }
}

/** Reads the file and the text parts of a multipart body. */
async function readParts(request: FastifyRequest) {
  const texts: Record<string, string> = {}
  let file: { bytes: Buffer; mediaType: string } | undefined
  if (!request.isMultipart()) throw new InvalidRequest([missing(['body', 'file'], null)])
  for await (const part of request.parts()) {
    if (part.type === 'field') texts[part.fieldname] = String(part.value)
    else if (part.fieldname !== 'file') await part.toBuffer()
    else file = { bytes: await part.toBuffer(), mediaType: part.mimetype }
  }
  if (file === undefined) throw new InvalidRequest([missing(['body', 'file'], null)])
  return { ...file, texts }
}
