import {
  UNCATEGORIZED_BOARD_ID,
  UNCATEGORIZED_BOARD_NAME,
  type Board as WireBoard,
} from '#contract/board.ts'

/** A board. The uncategorized board has no times, because it was never created. */
export interface Board extends Omit<WireBoard, 'created_at' | 'updated_at'> {
  /** Null for the uncategorized board. */
  created_at: string | null
  /** Null for the uncategorized board. */
  updated_at: string | null
}

/** A board as a server sends it. InvokeAI lacks some fields. */
export type BoardAnswer = Omit<WireBoard, 'description' | 'starred' | 'is_private'> &
  Partial<Pick<WireBoard, 'description' | 'starred'>> & { is_private?: boolean | null }

/**
 * Creates the record of the uncategorized board, which always exists.
 *
 * @param imageCount - Value of `image_count`.
 */
export const uncategorizedBoard = (imageCount = 0, videoCount = 0): Board => ({
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
  video_count: videoCount,
  asset_count: 0,
  owner_username: null,
})

/** Returns true if a board is the uncategorized one. */
export const isUncategorized = (board: { readonly board_id: string | null }): boolean =>
  board.board_id === UNCATEGORIZED_BOARD_ID

/** Returns true if the record lacks Tessera's fields, so that it comes from an InvokeAI. */
export const isInvokeAiBoard = (answer: BoardAnswer): boolean => answer.description === undefined

/**
 * Converts a board of either server to a record with all fields.
 *
 * InvokeAI's `image_count` counts only the category `general`; its boards have neither `description` nor
 * `starred`; and in single-user mode it marks all boards as private.
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
