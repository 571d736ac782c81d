import {
  UNCATEGORIZED_BOARD_ID,
  UNCATEGORIZED_BOARD_NAME,
  type Board as WireBoard,
} from '#contract/board.ts'

/**
 * A board (spec 2.1). Times are null where there are none: the uncategorized board was never created.
 * `image_count` counts every image on the board that is not intermediate.
 */
export type Board = Omit<WireBoard, 'created_at' | 'updated_at'> & {
  created_at: string | null
  updated_at: string | null
}

/** A board as a server sends it: InvokeAI lacks some of our fields (wire 1). */
export type BoardAnswer = Omit<WireBoard, 'description' | 'starred' | 'is_private'> &
  Partial<Pick<WireBoard, 'description' | 'starred'>> & { is_private?: boolean | null }

/**
 * The uncategorized board, which always exists (spec 2.1, factory).
 *
 * @param imageCount - What its `image_count` says.
 */
export const uncategorizedBoard = (imageCount = 0): Board => ({
  board_id: UNCATEGORIZED_BOARD_ID,
  board_name: UNCATEGORIZED_BOARD_NAME,
  description: null,
  user_id: 'system',
  created_at: null,
  updated_at: null,
  deleted_at: null,
  cover_image_name: null,
  archived: false,
  board_visibility: 'shared',
  is_private: false,
  starred: null,
  cover_video_name: null,
  image_count: imageCount,
  video_count: 0,
  asset_count: 0,
  owner_username: null,
})

/** Whether a board is the uncategorized one (spec 2.1, `is_uncategorized`). */
export const isUncategorized = (board: { readonly board_id: string | null }): boolean =>
  board.board_id === UNCATEGORIZED_BOARD_ID

/** Whether a board's record comes from a server without our fields, which is InvokeAI. */
export const isInvokeAiBoard = (answer: BoardAnswer): boolean => answer.description === undefined

/**
 * A board's record with every field, whichever server sent it.
 *
 * InvokeAI counts only images of category `general` in `image_count` (wire 11, row 1), knows neither
 * description nor star (row 2), and marks every board private where nobody else could see it (row 3).
 */
export const boardOfAnswer = (answer: BoardAnswer, isMultiUser: boolean): Board => {
  if (!isInvokeAiBoard(answer)) return answer as WireBoard
  return {
    ...answer,
    description: null,
    starred: answer.starred ?? null,
    is_private: answer.is_private ?? (isMultiUser && answer.board_visibility === 'private'),
    image_count: answer.image_count + (answer.asset_count ?? 0),
  }
}
