import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Fields, isInternal } from './internal-requests.ts'

/** A video. The fake counts and moves videos but does not play them. */
interface Video {
  name: string
  /** null: uncategorized. */
  boardId: string | null
}

export type Videos = Video[]

/** Returns the number of videos on a board, or of uncategorized ones for `none`. */
export const countVideos = (videos: Videos, boardId: string): number =>
  videos.filter((video) => (video.boardId ?? 'none') === boardId).length

/** Answers the number of videos, and includes videos when a board is deleted. */
export function addVideos(app: FastifyInstance, videos: Videos): void {
  app.addHook('preHandler', async (request, reply) => {
    const { url } = request.routeOptions
    if (isInternal(request) || url !== '/api/v1/videos/') return
    const { board_id: boardId } = request.query as { board_id?: string }
    const total = boardId === undefined ? videos.length : countVideos(videos, boardId)
    return reply.send({ limit: 0, offset: 0, total, items: [] })
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const isDeletion =
      request.method === 'DELETE' && request.routeOptions.url === '/api/v1/boards/:board_id'
    if (isInternal(request) || !isDeletion || reply.statusCode !== 200) return payload
    return JSON.stringify({ ...JSON.parse(String(payload)), ...deleteVideos(request, videos) })
  })
}

function deleteVideos(request: FastifyRequest, videos: Videos): Fields {
  const { board_id: boardId } = request.params as { board_id: string }
  const isDeleted = (request.query as { include_images?: string }).include_images === 'true'
  const onBoard = videos.filter((video) => video.boardId === boardId)
  for (const video of onBoard) {
    if (isDeleted) videos.splice(videos.indexOf(video), 1)
    else video.boardId = null
  }
  const names = onBoard.map(({ name }) => name)
  return {
    deleted_board_videos: isDeleted ? [] : names,
    deleted_videos: isDeleted ? names : [],
  }
}
