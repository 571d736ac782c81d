import { useQuery } from '@tanstack/react-query'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { type Board, boardQueries } from '#gallery/api/board-queries.ts'
import type { Import } from '#gallery/api/imports.ts'
import { Button } from '#gallery/ui/button.tsx'
import { ALL_BOARDS } from '#gallery/url/place.ts'
import { goTo } from '#gallery/url/use-place.ts'

/** Leads to where the images of an import went. */
export function ShowImported({ run }: { run: Import }) {
  const boards = useQuery(boardQueries.list()).data ?? []
  const { board, label } = destinationOf(run, boards)
  return (
    <footer className="flex justify-end border-line border-t px-3 py-2">
      <Button onClick={() => goTo({ board, image: null, query: '' })}>{label}</Button>
    </footer>
  )
}

/** Where most would look: the one board, Assets, or all images where there are many boards. */
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
