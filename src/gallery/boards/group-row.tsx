import { ChevronRight, Folder, FolderOpen } from 'lucide-react'
import { useRef } from 'react'
import type { BoardTreeRow } from '#gallery/boards/order/board-tree.ts'
import { useDropTarget, useSpringLoading } from '#gallery/ui/drag/drop.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { setGroupFolded, toggleGroup } from './board-list-store.ts'
import { RowMenuButton } from './board-menu.tsx'
import { useFoundCountOfGroup } from './found-counts.tsx'
import { indentOf, RowLabel, rowClasses, rowControls, rowHeight, yielding } from './nav-row.tsx'
import type { RovingFocus } from './use-roving-focus.ts'

interface GroupRowProps {
  group: Extract<BoardTreeRow, { kind: 'group' }>
  focus: ReturnType<RovingFocus['propsOf']>
  /** False if the board would be dropped next to the group. `at`: the height of the pointer, from 0 to 1. */
  accepts: (boardId: string, at: number) => boolean
  /** Moves a board into the group. */
  onTakeBoard: (boardId: string) => void
}

/** A group of boards. A click folds it, images dragged over it open it, and boards dropped on it move into it. */
export function GroupRow({ group, focus, accepts, onTakeBoard }: GroupRowProps) {
  const { path, label, depth, isFolded, boardCount, imageCount } = group
  const row = useRef<HTMLDivElement>(null)
  const { isOver } = useDropTarget(row, {
    kind: 'board',
    accepts: ({ boardId }, at) => accepts(boardId, at),
    onDrop: ({ boardId }) => onTakeBoard(boardId),
  })
  useSpringLoading(row, () => setGroupFolded(path, false))
  const found = useFoundCountOfGroup(path)
  const Icon = isFolded ? Folder : FolderOpen
  return (
    <div ref={row} data-group={path} className={rowClasses(isOver)}>
      <button
        {...focus}
        type="button"
        aria-expanded={!isFolded}
        aria-label={`${path}, ${boardCount === 1 ? '1 board' : `${formatCount(boardCount)} boards`}`}
        title={path}
        onClick={() => toggleGroup(path)}
        className={`flex min-w-0 flex-1 items-center gap-2 rounded text-start focus-visible:-outline-offset-2 ${rowHeight}`}
        style={indentOf(depth)}
      >
        <span className="flex size-8 shrink-0 items-center justify-center text-muted">
          <ChevronRight
            aria-hidden
            size={14}
            className={`shrink-0 transition-transform ${isFolded ? '' : 'rotate-90'}`}
          />
          <Icon aria-hidden size={16} strokeWidth={1.75} />
        </span>
        <RowLabel text={label} />
      </button>
      <div className={rowControls}>
        <span
          className={`pointer-events-none mr-0.5 px-1.5 py-0.5 text-muted text-xs tabular-nums ${yielding}`}
        >
          {formatCount(found ?? imageCount)}
        </span>
        <RowMenuButton name={path} row={{ path }} />
      </div>
    </div>
  )
}
