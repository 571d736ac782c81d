import { DEFAULT_LIST_LIMIT } from '#contract/limits.ts'
import {
  emptyTrash,
  listTrash,
  restoreFromTrash,
  trashBoard,
  trashImages,
} from '#contract/trash-operations.ts'
import { defineRoute, type Route } from '#server/http/route.ts'

export const trashRoutes: readonly Route[] = [
  defineRoute(listTrash, ({ trash }, { query }) =>
    trash.page({
      offset: query.offset ?? 0,
      limit: query.limit ?? DEFAULT_LIST_LIMIT,
      orderBy: query.order_by,
      orderDir: query.order_dir,
      includeSize: query.include_size,
      kind: query.kind,
    }),
  ),
  defineRoute(emptyTrash, ({ trash }) => trash.empty()),
  defineRoute(restoreFromTrash, ({ trash }, { body }) =>
    trash.restore({
      imageNames: body.image_names ?? [],
      boardIds: body.board_ids ?? [],
      toBoardId: body.to_board_id,
    }),
  ),
  defineRoute(trashBoard, ({ trash }, { body }) =>
    trash.trashBoard(body.board_id, {
      images: body.include_images ? 'trash' : 'keep',
      maxImages: body.max_images,
    }),
  ),
  defineRoute(trashImages, ({ trash }, { body }) =>
    trash.trashImages(body.image_names, { undoesRestore: body.undoes_restore }),
  ),
]
