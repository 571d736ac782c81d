import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import yazl from 'yazl'
import { userOf } from './auth-routes.ts'
import { DetailAnswer, notFound } from './fault.ts'
import type { Library, StoredImage } from './library.ts'
import { readBody, readImageNames } from './read-request.ts'
import type { Audience } from './sockets.ts'

/** The room of download events. All clients join it. With accounts, each client receives only its own events. */
const ROOM = 'default'

type Tell = (event: string, data: Record<string, unknown>, audience: Audience) => void

/**
 * Adds the routes for zip downloads. The server answers before it creates the zip, announces the zip by
 * events, and serves it once.
 */
export function addDownloadRoutes(
  app: FastifyInstance,
  { library, tell, isMultiUser }: { library: Library; tell: Tell; isMultiUser: boolean },
): void {
  const zips = new Map<string, Buffer>()

  app.post('/api/v1/images/download', async (request, reply) => {
    const { board_id: boardId, image_names } = readBody(request.body)
    const names = Array.isArray(image_names) ? readImageNames(request.body) : []
    const id = randomUUID()
    let item = `${id}.zip`
    let images: (StoredImage | string)[]
    if (typeof boardId === 'string') {
      const name = library.boards.get(boardId)?.board_name ?? 'Uncategorized'
      item = `${name.replace(/[^\p{L}\p{N} _-]/gu, '').trim()}_${id}.zip`
      images = library.imagesOn(boardId)
    } else if (names.length > 0) {
      images = names.map((name) => library.images.get(name) ?? name)
    } else {
      throw new DetailAnswer(400, 'No images or board id specified.')
    }
    const { user_id } = userOf(request)
    const of = {
      bulk_download_id: ROOM,
      bulk_download_item_id: id,
      bulk_download_item_name: item,
      user_id,
    }
    const audience = isMultiUser ? { userId: user_id } : { room: ROOM }
    setImmediate(async () => {
      tell('bulk_download_started', of, audience)
      const unknown = images.find((image) => typeof image === 'string')
      if (unknown !== undefined) {
        tell('bulk_download_error', { ...of, error: `Image ${unknown} not found` }, audience)
        return
      }
      zips.set(item, await zipOf(images.filter((image) => typeof image !== 'string')))
      tell('bulk_download_complete', of, audience)
    })
    return reply.code(202).send({ response: null, bulk_download_item_name: item })
  })

  app.get<{ Params: { item: string } }>('/api/v1/images/download/:item', (request, reply) => {
    const { item } = request.params
    const zip = zips.get(item)
    if (zip === undefined) throw notFound()
    zips.delete(item)
    return reply
      .header('content-disposition', `inline; filename="${item}"`)
      .header('cache-control', 'max-age=31536000')
      .type('application/zip')
      .send(zip)
  })
}

async function zipOf(images: readonly StoredImage[]): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const image of images)
    zip.addBuffer(image.png, `${image.image_category}/${image.image_name}`)
  zip.end()
  return buffer(zip.outputStream)
}
