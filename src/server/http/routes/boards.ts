import {
  createBoard,
  deleteBoard,
  getBoard,
  listBoardImageNames,
  listBoards,
  updateBoard,
} from '#contract/board-operations.ts'
import {
  addImagesToBoard,
  addImageToBoard,
  removeImageFromBoard,
  removeImagesFromBoard,
} from '#contract/image-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { sendNames } from '#server/http/bytes/send-in-pieces.ts'
import { defineRoute, type Route } from '#server/http/route.ts'
import { viewOf } from './view-of.ts'

export const boardRoutes: readonly Route[] = [
  defineRoute(listBoards, async ({ records }, { query }) => {
    const { all, offset, limit, order_by, direction, include_archived } = query
    const options = {
      orderBy: order_by ?? 'created_at',
      direction: direction ?? 'DESC',
      includeArchived: include_archived ?? false,
    }
    // InvokeAI refuses a list without parameters. Here it lists all boards.
    if (all ?? (offset === undefined && limit === undefined))
      return (await records.boards.list(options)).items
    if (offset === undefined || limit === undefined) throw new Refusal('neither_all_nor_page')
    return {
      limit,
      offset,
      ...(await records.boards.list({ ...options, page: { offset, limit } })),
    }
  }),
  defineRoute(getBoard, ({ boards }, { params }) => boards.get(params.board_id)),
  defineRoute(createBoard, ({ boards }, { query }) => boards.create(query)),
  defineRoute(updateBoard, ({ boards }, { params, body }) => boards.update(params.board_id, body)),
  defineRoute(deleteBoard, ({ boards }, { params, query }) =>
    boards.delete(params.board_id, { images: query.include_images ? 'delete' : 'keep' }),
  ),
  defineRoute(listBoardImageNames, async ({ boards }, { params, query, reply }) => {
    const { offset = 0, limit = -1 } = query
    const isWhole = offset === 0 && limit === -1
    const window = isWhole ? undefined : { offset, limit }
    const names = await boards.imageNames(params.board_id, viewOf(query), window)
    return sendNames(reply, names)
  }),
  defineRoute(addImageToBoard, ({ images }, { body }) =>
    images.addOneToBoard(body.image_name, body.board_id),
  ),
  defineRoute(addImagesToBoard, ({ images }, { query, body }) =>
    images.addToBoard(body.image_names, body.board_id, query.kind),
  ),
  defineRoute(removeImageFromBoard, ({ images }, { body }) =>
    images.removeOneFromBoard(body.image_name),
  ),
  defineRoute(removeImagesFromBoard, ({ images }, { query, body }) =>
    images.removeFromBoard(body.image_names, query.kind),
  ),
]
