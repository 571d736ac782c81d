import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import { STARRED } from '#gallery/url/place.ts'
import { ALL_BOARDS, DUPLICATES, TRASH } from '#gallery/url/place-order.ts'

/**
 * Returns the destination of files that are added while a place is open: its board, or uncategorized if the
 * place is not a board.
 *
 * @param boardName - Name of the open board; absent while it is unknown.
 */
export function uploadTargetOf(board: string, boardName = 'this board'): UploadTarget {
  const isBoard = ![UNCATEGORIZED_BOARD_ID, ALL_BOARDS, STARRED, DUPLICATES, TRASH].includes(board)
  return isBoard ? { boardId: board, label: boardName } : { boardId: null, label: 'Assets' }
}

export const isShownIn = (board: string, { boardId }: UploadTarget): boolean =>
  boardId === null ? board === UNCATEGORIZED_BOARD_ID || board === ALL_BOARDS : board === boardId
