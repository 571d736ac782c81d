import Type from 'typebox'
import { Board, BoardChanges, BoardsPage, DeleteBoardResult } from './board.ts'
import { ImageCategory } from './image.ts'
import { viewQuery } from './image-operations.ts'
import { DEFAULT_LIST_LIMIT, MAX_BOARD_NAME_LENGTH } from './limits.ts'
import { defineOperation } from './operation.ts'

const boardParams = Type.Object({ board_id: Type.String() })

export const listBoards = defineOperation({
  operationId: 'list_boards',
  method: 'GET',
  path: '/api/v1/boards/',
  summary: 'Lists all boards as an array, or a page of boards',
  tag: 'boards',
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

export const createBoard = defineOperation({
  operationId: 'create_board',
  method: 'POST',
  path: '/api/v1/boards/',
  summary: 'Creates a board',
  tag: 'boards',
  query: Type.Object({
    board_name: Type.String({ maxLength: MAX_BOARD_NAME_LENGTH }),
    is_private: Type.Optional(Type.Boolean({ default: false })),
  }),
  answers: { 201: Board },
  refusals: [],
})

export const getBoard = defineOperation({
  operationId: 'get_board',
  method: 'GET',
  path: '/api/v1/boards/{board_id}',
  summary: 'Returns a board',
  tag: 'boards',
  params: boardParams,
  answers: { 200: Board },
  refusals: ['board_not_found'],
})

export const updateBoard = defineOperation({
  operationId: 'update_board',
  method: 'PATCH',
  path: '/api/v1/boards/{board_id}',
  summary: 'Changes the given fields of a board',
  tag: 'boards',
  params: boardParams,
  body: BoardChanges,
  answers: { 201: Board },
  refusals: ['board_not_found', 'cover_image_not_found'],
  extensionFields: ['description', 'starred', 'is_private'],
})

export const deleteBoard = defineOperation({
  operationId: 'delete_board',
  method: 'DELETE',
  path: '/api/v1/boards/{board_id}',
  summary:
    'Deletes a board permanently. Its images become uncategorized unless `include_images` is true',
  tag: 'boards',
  params: boardParams,
  query: Type.Object({ include_images: Type.Optional(Type.Boolean({ default: false })) }),
  answers: { 200: DeleteBoardResult },
  refusals: ['board_not_found'],
})

export const listBoardImageNames = defineOperation({
  operationId: 'list_all_board_image_names',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/image_names',
  summary:
    'Lists the names of the images on a board, or of uncategorized images (`none`), newest first',
  tag: 'boards',
  params: boardParams,
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
  refusals: ['board_not_found'],
  extensionFields: ['offset', 'limit', 'order_by', 'order_dir', 'starred_first', 'search_term'],
})
