import { type RefObject, useEffect, useRef } from 'react'
import { type DuplicateGroup, keyOfGroup } from '#gallery/api/duplicates.ts'
import { useVirtualList } from '#gallery/ui/use-virtual-list.ts'
import { GroupCard } from './group-card.tsx'
import { useGroupCommands } from './use-group-commands.ts'

interface GroupListProps {
  groups: readonly DuplicateGroup[]
  total: number
  nameOfBoard: (boardId: string) => string
  /** Loads more groups; undefined if all are loaded or being loaded. */
  onMore: (() => void) | undefined
}

/** Height of a card with one row of images, in pixels. */
const CARD_PX = 380

/** Groups from the end of the loaded ones at which more are loaded. */
const AHEAD = 10

/** The groups. Only the visible ones are rendered. */
export function GroupList({ groups, total, nameOfBoard, onMore }: GroupListProps) {
  const scroller: RefObject<HTMLDivElement | null> = useRef(null)
  const rows = useVirtualList({
    count: groups.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    getItemKey: (index) => {
      const group = groups[index]
      return group === undefined ? index : keyOfGroup(group)
    },
    overscan: 2,
  })
  useGroupCommands(groups, (index) => rows.scrollToIndex(index))
  const lastShown = rows.items.at(-1)?.index ?? 0
  const isNearEnd = lastShown >= groups.length - AHEAD
  useEffect(() => {
    if (isNearEnd) onMore?.()
  }, [isNearEnd, onMore])
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-4 md:px-6">
      <ul
        aria-label="Groups of duplicates"
        data-duplicates
        className="relative my-3"
        style={{ height: rows.totalPx }}
      >
        {rows.items.map(({ index, key, start }) => {
          const group = groups[index]
          return (
            group && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={total}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0 pb-3"
                style={{ transform: `translateY(${start}px)` }}
              >
                <GroupCard group={group} index={index} nameOfBoard={nameOfBoard} />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
