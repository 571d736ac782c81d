import Type, { type Static } from 'typebox'
import { Board } from './board.ts'
import { affectedBoards, ImageRecord, ItemKind } from './image.ts'
import { DEFAULT_LIST_LIMIT, TRASH_DAYS } from './limits.ts'
import { operationsOf } from './operation.ts'
import { ImageNames } from './schema.ts'

const define = operationsOf({ tag: 'trash', extension: true })

/** Result of moving images or a board to the trash (extension). */
export const TrashResult = Type.Object({
  affected_boards: affectedBoards,
  trashed_images: Type.Array(Type.String()),
  trashed_boards: Type.Array(Type.String()),
  kept_images: Type.Array(Type.String(), {
    description: 'Images of a trashed board that are uncategorized now',
  }),
  failed_images: Type.Array(Type.String()),
})
export type TrashResult = Static<typeof TrashResult>

/** Result of restoring images and boards from the trash (extension). */
export const RestoreResult = Type.Object({
  affected_boards: affectedBoards,
  restored_images: Type.Array(Type.String()),
  restored_boards: Type.Array(Type.String()),
  returned_images: Type.Array(Type.String(), {
    description: 'Uncategorized images that are on their restored board again',
  }),
  images_by_board: Type.Array(
    Type.Object({ board_id: Type.String(), image_names: Type.Array(Type.String()) }),
    {
      description:
        'The images that were restored by their names, by the board that they are on now. `none` for uncategorized',
    },
  ),
})
export type RestoreResult = Static<typeof RestoreResult>

/**
 * Sort key of the trash. `deleted_at` is the time when the image was trashed. Ties are broken as in a view. The trash has
 * no order by duration.
 */
export const TrashOrder = Type.Enum(['deleted_at', 'created_at', 'taken_at', 'name', 'size'])
export type TrashOrder = Static<typeof TrashOrder>

/** A page of the trash (extension). `boards` has all trashed boards on every page. */
export const TrashPage = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer({ description: 'Images in the trash, and videos if `kind` asks for them' }),
  video_total: Type.Integer({ description: 'Videos among `total`' }),
  total_bytes: Type.Optional(
    Type.Integer({
      description: 'Size of all images in the trash in bytes. Only with `include_size`',
    }),
  ),
  items: Type.Array(ImageRecord),
  boards: Type.Array(Board),
})
export type TrashPage = Static<typeof TrashPage>

/** Result of emptying the trash: the permanently deleted images and boards (extension). */
export const EmptyTrashResult = Type.Object({
  deleted_images: Type.Integer(),
  deleted_boards: Type.Integer(),
})
export type EmptyTrashResult = Static<typeof EmptyTrashResult>

export const trashImages = define('POST', '/api/v1/trash/images', {
  operationId: 'trash_images',
  summary: 'Moves the named images to the trash. `failed_images` lists unknown names',
  body: Type.Object({
    image_names: ImageNames,
    undoes_restore: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Returns images that were restored to another board to the board that they had in the trash',
      }),
    ),
  }),
  answers: { 200: TrashResult },
  refusals: ['too_many_names'],
  limit: 'batch',
})

export const trashBoard = define('POST', '/api/v1/trash/boards', {
  operationId: 'trash_board',
  summary: 'Moves a board to the trash. Its images become uncategorized or go to the trash too',
  body: Type.Object({
    board_id: Type.String(),
    include_images: Type.Optional(Type.Boolean({ default: false })),
    max_images: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Maximum number of images in this request. Repeat it until `trashed_boards` contains the board, which goes with the last images. Restoring the board undoes all requests',
      }),
    ),
  }),
  answers: { 200: TrashResult },
  refusals: ['board_not_found'],
})

export const restoreFromTrash = define('POST', '/api/v1/trash/restore', {
  operationId: 'restore_from_trash',
  summary: 'Restores images and boards. Names that are not in the trash are ignored',
  body: Type.Object({
    image_names: Type.Optional(ImageNames),
    board_ids: Type.Optional(Type.Array(Type.String())),
    to_board_id: Type.Optional(
      Type.String({
        description:
          'Restores the named images to this board instead of their own. `none` for uncategorized',
      }),
    ),
  }),
  answers: { 200: RestoreResult },
  refusals: ['board_not_found', 'too_many_names'],
  limit: 'batch',
})

export const listTrash = define('GET', '/api/v1/trash/', {
  operationId: 'list_trash',
  summary: `Lists the trash. Items are permanently deleted after ${TRASH_DAYS} days`,
  query: Type.Object({
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: DEFAULT_LIST_LIMIT })),
    order_by: Type.Optional(Type.Enum([...TrashOrder.enum], { default: 'deleted_at' })),
    order_dir: Type.Optional(Type.Enum(['ASC', 'DESC'], { default: 'DESC' })),
    include_size: Type.Optional(Type.Boolean({ default: false })),
    kind: Type.Optional(Type.Enum([...ItemKind.enum], { default: 'image' })),
  }),
  answers: { 200: TrashPage },
})

export const emptyTrash = define('DELETE', '/api/v1/trash/', {
  operationId: 'empty_trash',
  summary: 'Permanently deletes everything in the trash',
  answers: { 200: EmptyTrashResult },
  limit: 'batch',
})
