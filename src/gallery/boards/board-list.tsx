import { useVirtualizer } from '@tanstack/react-virtual'
import { type Ref, useImperativeHandle, useRef } from 'react'
import type { Board } from '#gallery/api/board-queries.ts'
import { useAutoScroll } from '#gallery/ui/drop.ts'
import { useMedia } from '#gallery/ui/use-media.ts'
import type { Naming } from './board-list-store.ts'
import { BoardRow, type FileZone } from './board-row.tsx'
import type { RovingFocus } from './use-roving-focus.ts'

export interface BoardListHandle {
  /** Scrolls to a board, so that its row is drawn. */
  reveal: (boardId: string) => void
}

interface BoardListProps {
  ref: Ref<BoardListHandle>
  boards: readonly Board[]
  naming: Naming
  roving: RovingFocus
  FileZone: FileZone
  onOpen: () => void
}

/** Height of a row in pixels, as NavRow draws it. */
const ROW_PX = 40
const COARSE_ROW_PX = 44

/** The boards; only those in sight are drawn, since there may be a thousand. */
export function BoardList({ ref, boards, naming, roving, FileZone, onOpen }: BoardListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rowPx = useMedia('(pointer: coarse)') ? COARSE_ROW_PX : ROW_PX
  const virtualizer = useVirtualizer({
    count: boards.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => boards[index]?.board_id ?? index,
    overscan: 8,
  })
  useAutoScroll(scroller)
  useImperativeHandle(ref, () => ({
    reveal: (boardId) => {
      const index = boards.findIndex(({ board_id }) => board_id === boardId)
      if (index >= 0) virtualizer.scrollToIndex(index)
    },
  }))

  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2">
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const board = boards[index]
          if (board === undefined) return null
          return (
            <li
              key={key}
              aria-setsize={boards.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0"
              style={{ top: start }}
            >
              <BoardRow
                board={board}
                isRenaming={naming?.kind === 'rename' && naming.boardId === board.board_id}
                roving={roving}
                FileZone={FileZone}
                onOpen={onOpen}
              />
            </li>
          )
        })}
      </ul>
    </div>
  )
}
