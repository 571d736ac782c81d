import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { ALL_BOARDS, TRASH } from '#gallery/url/place.ts'
import type { UploadTarget } from './upload.ts'

/**
 * Where files go that are added while a place is open: its board, or on no board where it is not one.
 *
 * @param boardName - What the open board is called; absent while that is not known.
 */
export function uploadTargetOf(board: string, boardName = 'this board'): UploadTarget {
  const isBoard = ![UNCATEGORIZED_BOARD_ID, ALL_BOARDS, TRASH].includes(board)
  return isBoard ? { boardId: board, label: boardName } : { boardId: null, label: 'Assets' }
}

/** Whether what goes there is seen in an open place. */
export const isShownIn = (board: string, { boardId }: UploadTarget): boolean =>
  boardId === null ? board === UNCATEGORIZED_BOARD_ID || board === ALL_BOARDS : board === boardId
