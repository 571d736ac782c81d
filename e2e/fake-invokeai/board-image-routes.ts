import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DetailAnswer, notFound } from './fault.ts'
import type { Library, StoredImage } from './library.ts'
import { readBody, readImageNames, readText } from './read-request.ts'
import { ImageRights } from './rights.ts'

/** Adds the routes for images on boards. All four answer 201, also after a delete. */
export function addBoardImageRoutes(app: FastifyInstance, library: Library): void {
  const rights = new ImageRights(library)
  const add = (request: FastifyRequest, boardId: string, images: StoredImage[]) => {
    if (!library.boards.has(boardId)) throw notFound('Board not found')
    rights.assertAdd(request, boardId)
    rights.assertChange(request, images)
    const affected_boards = library.move(images, boardId)
    return {
      affected_boards,
      added_images: images.map((image) => image.image_name),
      failed_images: [],
    }
  }
  const remove = (request: FastifyRequest, images: StoredImage[]) => {
    rights.assertChange(request, images)
    const affected_boards = library.move(images, null)
    return {
      affected_boards,
      removed_images: images.map((image) => image.image_name),
      failed_images: [],
    }
  }
  const known = (imageNames: string[]) =>
    imageNames.flatMap((name) => library.images.get(name) ?? [])

  app.post('/api/v1/board_images/', (request, reply) => {
    const body = readBody(request.body)
    const boardId = readText(body, 'board_id')
    const images = known([readText(body, 'image_name')])
    if (!library.boards.has(boardId)) throw notFound('Board not found')
    if (images.length === 0) throw new DetailAnswer(500, 'Failed to add image to board')
    return reply.code(201).send(add(request, boardId, images))
  })

  app.post('/api/v1/board_images/batch', (request, reply) => {
    const boardId = readText(readBody(request.body), 'board_id')
    return reply.code(201).send(add(request, boardId, known(readImageNames(request.body))))
  })

  app.delete('/api/v1/board_images/', (request, reply) => {
    const images = known([readText(readBody(request.body), 'image_name')])
    if (images.length === 0) throw new DetailAnswer(500, 'Failed to remove image from board')
    return reply.code(201).send(remove(request, images))
  })

  app.post('/api/v1/board_images/batch/delete', (request, reply) =>
    reply.code(201).send(remove(request, known(readImageNames(request.body)))),
  )
}
