import { Inbox } from 'lucide-react'
import { useRef } from 'react'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { useDropTarget } from '#gallery/ui/drop.ts'
import type { FileZone } from './board-row.tsx'
import { NavRow } from './nav-row.tsx'
import { useUncategorizedCount } from './use-boards.ts'
import type { RovingFocus } from './use-roving-focus.ts'

interface AssetsRowProps {
  focus: ReturnType<RovingFocus['propsOf']>
  FileZone: FileZone
  onOpen: () => void
}

/** The uncategorized board, which is always there: takes images and files, and cannot be changed. */
export function AssetsRow({ focus, FileZone, onOpen }: AssetsRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const count = useUncategorizedCount()
  const { isOver } = useDropTarget(row, {
    onDrop: ({ moveTo }) => moveTo(UNCATEGORIZED_BOARD_ID),
  })
  return (
    <div ref={row}>
      <FileZone boardId={null} label={UNCATEGORIZED_BOARD_NAME}>
        <NavRow
          board={UNCATEGORIZED_BOARD_ID}
          name={UNCATEGORIZED_BOARD_NAME}
          count={count}
          icon={<Inbox aria-hidden size={18} strokeWidth={1.75} />}
          isDropTarget={isOver}
          focus={focus}
          onOpen={onOpen}
        />
      </FileZone>
    </div>
  )
}
