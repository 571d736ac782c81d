import { Images } from 'lucide-react'
import type { Board } from '#contract/board.ts'
import { restoreBoard } from '#gallery/api/outbox.ts'
import { Button } from '#gallery/ui/button.tsx'
import { countOf } from '#gallery/ui/count.ts'

/** The boards of the trash, each with the way back. */
export function TrashedBoards({ boards }: { boards: readonly Board[] }) {
  return (
    <section aria-label="Boards in the trash" className="px-4 pt-4 md:px-6">
      <h2 className="mb-2 font-medium text-muted text-sm">{countOf(boards.length, 'board')}</h2>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 xl:grid-cols-3">
        {boards.map((board) => (
          <li
            key={board.board_id}
            className="flex items-center gap-3 rounded border border-line py-2 pr-2 pl-3"
          >
            <Images aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-muted" />
            <span dir="auto" className="min-w-0 flex-1 truncate" title={board.board_name}>
              {board.board_name}
            </span>
            <Button
              tone="quiet"
              aria-label={`Restore ${board.board_name}`}
              onClick={() => restoreBoard(board)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
