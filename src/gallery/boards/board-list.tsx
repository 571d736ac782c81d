import {
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { BoardTreeRow } from '#gallery/boards/order/board-tree.ts'
import { edgeOf } from '#gallery/boards/order/hand-order.ts'
import { type Edge, useAutoScroll, useEdgeDropTarget } from '#gallery/ui/drag/drop.ts'
import { useIsShort, useMedia } from '#gallery/ui/use-media.ts'
import { useVirtualList } from '#gallery/ui/use-virtual-list.ts'
import type { BoardFiles } from './board-files.ts'
import { type Naming, useIsCompactList } from './board-list-store.ts'
import { BoardRow } from './board-row.tsx'
import { GroupRow } from './group-row.tsx'
import { indentOf } from './nav-row.tsx'
import type { RovingFocus } from './use-roving-focus.ts'

export interface BoardListHandle {
  /** Scrolls to a board or a group, so that its row is rendered. */
  reveal: (key: string) => void
}

/** The drops of boards between rows. */
export interface Reordering {
  accepts: (boardId: string, row: BoardTreeRow, edge: Edge) => boolean
  drop: (boardId: string, row: BoardTreeRow, edge: Edge) => void
}

interface BoardListProps {
  ref: Ref<BoardListHandle>
  rows: readonly BoardTreeRow[]
  naming: Naming
  roving: RovingFocus
  files: BoardFiles
  /** Moves a board into a group. */
  onRegroup: (boardId: string, path: string) => void
  /** null unless the boards are in the order by hand. */
  reordering: Reordering | null
}

/** Row height in rem, as in NavRow. */
const ROW_REM = 2.5
const COMPACT_ROW_REM = 2
const COARSE_ROW_REM = 2.75

/** More than the height of the sidebar's footer, in rem. */
const SIDEBAR_FOOTER_REM = 4

const remPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/**
 * The list of boards. Only visible rows are rendered, because there may be a thousand. On a short screen the list does
 * not scroll itself: the element with `data-scroller` around it does.
 */
export function BoardList(props: BoardListProps) {
  const { ref, rows, naming, roving, files, onRegroup, reordering } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isShort = useIsShort()
  const isCoarse = useMedia('(pointer: coarse)')
  const fineRowRem = useIsCompactList() ? COMPACT_ROW_REM : ROW_REM
  const rowRem = isCoarse ? COARSE_ROW_REM : fineRowRem
  const [aboveListPx, setAboveListPx] = useState(0)
  const scrollerNow = () =>
    (isShort ? scroller.current?.closest('[data-scroller]') : null) ?? scroller.current
  const virtualizer = useVirtualList({
    count: rows.length,
    getScrollElement: scrollerNow as () => HTMLElement | null,
    estimateSize: () => rowRem * remPx(),
    scrollMargin: aboveListPx,
    // Keeps the row above the sticky footer of the sidebar.
    scrollPaddingEnd: isShort ? SIDEBAR_FOOTER_REM * remPx() : 0,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
  })
  // Runs after each render, because the filter and the field for a new board change the height above the list.
  useLayoutEffect(() => {
    const outer = scrollerNow()
    const top = scroller.current?.getBoundingClientRect().top ?? 0
    const isOuter = outer !== null && outer !== scroller.current
    const abovePx = isOuter ? top - outer.getBoundingClientRect().top + outer.scrollTop : 0
    setAboveListPx(Math.round(abovePx))
  })
  useAutoScroll(scroller)
  useImperativeHandle(ref, () => ({
    reveal: (wanted) => {
      const index = rows.findIndex(({ key }) => key === wanted)
      if (index >= 0) virtualizer.scrollToIndex(index)
    },
  }))

  return (
    <div
      ref={scroller}
      // Chromium makes a scroller without tabindex a tab stop, and it would have no accessible name.
      tabIndex={-1}
      // Unfolded sections above it leave some rows. The navigation scrolls then.
      style={{ minHeight: `min(${virtualizer.totalPx}px, 8rem)` }}
      className="shrink-0 px-2 outline-none not-short:flex-1 not-short:overflow-y-auto not-short:overscroll-contain"
    >
      <ul className="relative" style={{ height: virtualizer.totalPx }}>
        {virtualizer.items.map(({ index, key, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0"
              style={{ top: start - aboveListPx }}
            >
              <RowEdges row={row} reordering={reordering}>
                {row.kind === 'group' ? (
                  <GroupRow
                    group={row}
                    focus={roving.propsOf(row.key)}
                    accepts={(boardId, at) => {
                      const edge = edgeOf(row, at)
                      return edge === null || reordering?.accepts(boardId, row, edge) !== true
                    }}
                    onTakeBoard={(boardId) => onRegroup(boardId, row.path)}
                  />
                ) : (
                  <BoardRow
                    board={row.board}
                    label={row.label}
                    depth={row.depth}
                    isRenaming={naming?.kind === 'rename' && naming.boardId === row.key}
                    roving={roving}
                    files={files}
                  />
                )}
              </RowEdges>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface RowEdgesProps {
  row: BoardTreeRow
  reordering: Reordering | null
  children: ReactNode
}

/** Accepts boards above and below a row. A line shows where the board lands. */
function RowEdges({ row, reordering, children }: RowEdgesProps) {
  const edges = useRef<HTMLDivElement>(null)
  const edge = useEdgeDropTarget(edges, {
    kind: 'board',
    edgeAt: ({ boardId }, at) => {
      const wanted = edgeOf(row, at)
      return wanted !== null && reordering?.accepts(boardId, row, wanted) ? wanted : null
    },
    onDrop: ({ boardId }, wanted) => reordering?.drop(boardId, row, wanted),
  })
  return (
    <div ref={edges} className="relative">
      {children}
      {edge !== null && (
        <div
          aria-hidden
          data-edge={edge}
          className={`pointer-events-none absolute inset-x-0 z-10 ${edge === 'before' ? '-top-px' : '-bottom-px'}`}
          style={indentOf(row.depth)}
        >
          <div className="h-0.5 rounded-full bg-accent" />
        </div>
      )}
    </div>
  )
}
