import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import type { Import } from '#gallery/api/imports.ts'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'

/** Returns the view with the imported images: one board, Assets, or all images for several boards. */
export function destinationOf(
  { boards, board_name }: Pick<Import, 'boards' | 'board_name'>,
  all: readonly Pick<Board, 'board_id' | 'board_name'>[],
): { board: string; label: string } {
  if (boards === 'none') return { board: UNCATEGORIZED_BOARD_ID, label: 'Show Assets' }
  const one = all.find((board) => boards === 'one' && board.board_name === board_name)
  return one
    ? { board: one.board_id, label: 'Show board' }
    : { board: ALL_BOARDS, label: 'Show images' }
}
