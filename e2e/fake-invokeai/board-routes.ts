import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts } from './accounts.ts'
import { userOf } from './auth-routes.ts'
import { DetailAnswer, InvalidRequest, notFound } from './fault.ts'
import { CATEGORIES, type Library, type StoredBoard, timestamp, VISIBILITIES } from './library.ts'
import { enumFault, QueryReader, readBody } from './read-request.ts'
import { boardRecord } from './records.ts'
import { ImageRights, mayChange, maySee } from './rights.ts'

interface ByBoard {
  Params: { board_id: string }
}

const MAX_NAME_LENGTH = 300
const CHANGES = ['board_name', 'cover_image_name', 'archived', 'board_visibility']

/** Adds the board routes. */
export function addBoardRoutes(app: FastifyInstance, library: Library, accounts: Accounts): void {
  const rights = new ImageRights(library)
  const nameOf = ({ user_id }: StoredBoard) => accounts.ownerOf(user_id).display_name
  const boardOf = (boardId: string): StoredBoard => {
    const board = library.boards.get(boardId)
    if (board === undefined) throw notFound('Board not found')
    return board
  }
  const readable = (request: FastifyRequest<ByBoard>): StoredBoard => {
    const board = boardOf(request.params.board_id)
    if (!maySee(userOf(request), board))
      throw new DetailAnswer(403, 'Not authorized to access this board')
    return board
  }
  const own = (request: FastifyRequest<ByBoard>, verb: string): StoredBoard => {
    const board = boardOf(request.params.board_id)
    if (!mayChange(userOf(request), board))
      throw new DetailAnswer(403, `Not authorized to ${verb} this board`)
    return board
  }

  app.get('/api/v1/boards/', (request) => {
    const query = new QueryReader(request.query)
    const isAll = query.isTrue('all') ?? false
    const offset = query.integer('offset')
    const limit = query.integer('limit')
    const orderBy = query.oneOf('order_by', ['created_at', 'board_name']) ?? 'created_at'
    const sign = (query.oneOf('direction', ['ASC', 'DESC']) ?? 'DESC') === 'ASC' ? 1 : -1
    const withArchived = query.isTrue('include_archived') ?? false
    const boards = [...library.boards.values()]
      .filter((board) => withArchived || !board.archived)
      .filter((board) => maySee(userOf(request), board))
      .sort((a, b) => sign * a[orderBy].localeCompare(b[orderBy]))
      .map((board) => boardRecord(library, board, userOf(request).is_admin ? nameOf(board) : null))
    if (isAll) return boards
    if (offset === undefined || limit === undefined) {
      const detail = "Invalid request: Must provide either 'all' or both 'offset' and 'limit'"
      throw new DetailAnswer(400, detail)
    }
    const items = boards.slice(offset, offset + limit)
    return { limit, offset, total: items.length, items }
  })

  app.post('/api/v1/boards/', (request, reply) => {
    const name = new QueryReader(request.query).requiredText('board_name')
    requireShortName(name, ['query', 'board_name'])
    return reply
      .code(201)
      .send(boardRecord(library, library.addBoard(name, userOf(request).user_id)))
  })

  app.get<ByBoard>('/api/v1/boards/:board_id', (request) => boardRecord(library, readable(request)))

  app.patch<ByBoard>('/api/v1/boards/:board_id', (request, reply) => {
    const changes = readBoardChanges(request.body)
    const board = own(request, 'update')
    const cover = changes.cover_image_name
    if (typeof cover === 'string' && !library.images.has(cover)) {
      throw new DetailAnswer(500, 'Failed to update board')
    }
    const { cover_image_name: _, ...stored } = changes
    // InvokeAI drops the milliseconds of `updated_at` on an update.
    Object.assign(board, stored, { updated_at: timestamp().slice(0, 19) })
    return reply.code(201).send(boardRecord(library, board))
  })

  app.delete<ByBoard>('/api/v1/boards/:board_id', (request) => {
    const withImages = new QueryReader(request.query).isTrue('include_images') ?? false
    const { board_id } = own(request, 'delete')
    const images = library.imagesOn(board_id)
    const names = images.map((image) => image.image_name)
    const videos = library.videosOn(board_id)
    const videoNames = videos.map(({ name }) => name)
    if (withImages) library.delete(names)
    else library.move(images, null)
    for (const video of videos) {
      if (withImages) library.videos.delete(video.name)
      else video.board_id = null
    }
    library.boards.delete(board_id)
    return {
      board_id,
      deleted_board_images: withImages ? [] : names,
      deleted_images: withImages ? names : [],
      deleted_board_videos: withImages ? [] : videoNames,
      deleted_videos: withImages ? videoNames : [],
      failed_images: [],
      failed_videos: [],
    }
  })

  app.get<ByBoard>('/api/v1/boards/:board_id/image_names', (request) => {
    const { board_id } = request.params
    if (board_id !== 'none') readable(request)
    const query = new QueryReader(request.query)
    const categories = query.listOf('categories', CATEGORIES)
    const isIntermediate = query.isTrue('is_intermediate')
    const names = rights
      .seen(request, library.imagesOn(board_id))
      .filter((image) => categories?.includes(image.image_category) ?? true)
      .filter((image) => (isIntermediate ?? image.is_intermediate) === image.is_intermediate)
      .map((image) => image.image_name)
    // InvokeAI returns the images of a board in the order of arrival, and those of `none` in the order of
    // their names.
    return board_id === 'none' ? names.sort() : names
  })
}

/** Reads the changes of a board. Rejects unknown keys; null leaves a property unchanged. */
function readBoardChanges(body: unknown): Record<string, unknown> {
  const changes = readBody(body)
  const extra = Object.keys(changes).filter((key) => !CHANGES.includes(key))
  if (extra.length > 0) {
    const msg = 'Extra inputs are not permitted'
    throw new InvalidRequest(
      extra.map((key) => ({
        type: 'extra_forbidden',
        loc: ['body', key],
        msg,
        input: changes[key],
      })),
    )
  }
  const { board_name: name, board_visibility: visibility } = changes
  if (typeof name === 'string') requireShortName(name, ['body', 'board_name'])
  if (typeof visibility === 'string' && !VISIBILITIES.some((each) => each === visibility)) {
    throw new InvalidRequest([enumFault(['body', 'board_visibility'], VISIBILITIES, visibility)])
  }
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))
}

function requireShortName(name: string, loc: string[]): void {
  if (name.length <= MAX_NAME_LENGTH) return
  const msg = `String should have at most ${MAX_NAME_LENGTH} characters`
  const ctx = { max_length: MAX_NAME_LENGTH }
  throw new InvalidRequest([{ type: 'string_too_long', loc, msg, input: name, ctx }])
}
