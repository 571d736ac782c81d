import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { boardNameOf } from '#gallery/api/boards/board-name.ts'

/** Where results go, in words. */
export const targetNameOf = (boardId: string): string => boardNameOf(boardId) ?? 'another board'

/** A board as a node takes it; null for uncategorized (wire 9.2). */
export const boardFieldOf = (boardId: string): { board_id: string } | null =>
  boardId === UNCATEGORIZED_BOARD_ID ? null : { board_id: boardId }
