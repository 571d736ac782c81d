import { Command } from 'cmdk'
import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { Board } from '#gallery/api/board-queries.ts'
import { formatCount } from '#gallery/ui/count.ts'
import { BoardCover } from './board-cover.tsx'

interface PaletteChoiceProps {
  value: string
  onPick: () => void
  children: ReactNode
}

/** One thing to pick. */
export function PaletteChoice({ value, onPick, children }: PaletteChoiceProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onPick}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded px-2 aria-selected:bg-hover pointer-coarse:min-h-11"
    >
      {children}
    </Command.Item>
  )
}

interface BoardChoiceProps {
  board: Board
  onPick: (boardId: string) => void
}

/** A board to pick. */
export function BoardChoice({ board, onPick }: BoardChoiceProps) {
  return (
    <PaletteChoice value={board.board_id} onPick={() => onPick(board.board_id)}>
      {board.board_id === UNCATEGORIZED_BOARD_ID ? (
        <span className="flex size-8 items-center justify-center text-muted">
          <Inbox aria-hidden size={18} strokeWidth={1.75} />
        </span>
      ) : (
        <BoardCover board={board} />
      )}
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {board.board_name}
      </span>
      <span className="text-muted text-xs tabular-nums">{formatCount(board.image_count)}</span>
    </PaletteChoice>
  )
}

interface PaletteGroupProps {
  heading?: string | undefined
  children: ReactNode
}

/** Choices that belong together. */
export function PaletteGroup({ heading, children }: PaletteGroupProps) {
  return (
    <Command.Group
      heading={heading}
      className="**:[[cmdk-group-heading]]:px-2 **:[[cmdk-group-heading]]:pt-2 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-muted **:[[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  )
}
