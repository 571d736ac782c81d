import Type from 'typebox'
import { Board, BoardChanges, BoardsPage, DeleteBoardResult } from './board.ts'
import { ImageCategory } from './image.ts'
import { viewQuery } from './image-operations.ts'
import { DEFAULT_LIST_LIMIT, MAX_BOARD_NAME_LENGTH } from './limits.ts'
import { operationsOf } from './operation.ts'

const define = operationsOf({ tag: 'boards' })

const defineForBoard = operationsOf({
  tag: 'boards',
  params: Type.Object({ board_id: Type.String() }),
  refusals: ['board_not_found'],
})

export const listBoards = define('GET', '/api/v1/boards/', {
  operationId: 'list_boards',
  summary: 'Lists all boards as an array, or a page of boards',
  query: Type.Object({
    all: Type.Optional(
      Type.Boolean({ description: 'Default: true without `offset` and `limit`, else false' }),
    ),
    offset: Type.Optional(Type.Integer()),
    limit: Type.Optional(Type.Integer()),
    order_by: Type.Optional(Type.Enum(['created_at', 'board_name'], { default: 'created_at' })),
    direction: Type.Optional(Type.Enum(['ASC', 'DESC'], { default: 'DESC' })),
    include_archived: Type.Optional(Type.Boolean({ default: false })),
  }),
  answers: { 200: Type.Union([Type.Array(Board), BoardsPage]) },
  refusals: ['neither_all_nor_page'],
})

export const createBoard = define('POST', '/api/v1/boards/', {
  operationId: 'create_board',
  summary: 'Creates a board',
  query: Type.Object({
    board_name: Type.String({ maxLength: MAX_BOARD_NAME_LENGTH }),
    is_private: Type.Optional(Type.Boolean({ default: false })),
  }),
  answers: { 201: Board },
})

export const getBoard = defineForBoard('GET', '/api/v1/boards/{board_id}', {
  operationId: 'get_board',
  summary: 'Returns a board',
  answers: { 200: Board },
})

export const updateBoard = defineForBoard('PATCH', '/api/v1/boards/{board_id}', {
  operationId: 'update_board',
  summary: 'Changes the given fields of a board',
  body: BoardChanges,
  answers: { 201: Board },
  refusals: ['board_not_found', 'cover_image_not_found', 'invalid_position'],
  extensionFields: ['description', 'starred', 'is_private', 'position'],
})

export const deleteBoard = defineForBoard('DELETE', '/api/v1/boards/{board_id}', {
  operationId: 'delete_board',
  summary:
    'Deletes a board permanently. Its images become uncategorized unless `include_images` is true',
  query: Type.Object({ include_images: Type.Optional(Type.Boolean({ default: false })) }),
  answers: { 200: DeleteBoardResult },
})

export const listBoardImageNames = defineForBoard('GET', '/api/v1/boards/{board_id}/image_names', {
  operationId: 'list_all_board_image_names',
  summary:
    'Lists the names of the images on a board, or of uncategorized images (`none`), newest first',
  query: Type.Object({
    categories: Type.Optional(Type.Array(ImageCategory)),
    is_intermediate: Type.Optional(Type.Boolean()),
    offset: Type.Optional(Type.Integer({ minimum: 0 })),
    limit: Type.Optional(
      Type.Integer({
        minimum: -1,
        description: `Absent or -1: all. The client's default is ${DEFAULT_LIST_LIMIT}`,
      }),
    ),
    order_by: viewQuery.order_by,
    order_dir: viewQuery.order_dir,
    starred_first: Type.Optional(Type.Boolean({ default: false })),
    search_term: viewQuery.search_term,
  }),
  answers: { 200: Type.Array(Type.String()) },
  extensionFields: ['offset', 'limit', 'order_by', 'order_dir', 'starred_first', 'search_term'],
})
