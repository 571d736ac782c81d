import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type DuplicateGroup, keyOfGroup } from '#gallery/api/duplicates.ts'
import { useVirtualList } from '#gallery/ui/use-virtual-list.ts'
import { GroupCard } from './group-card.tsx'
import { useGroupCommands } from './use-group-commands.ts'

interface GroupListProps {
  groups: readonly DuplicateGroup[]
  scroller: RefObject<HTMLElement | null>
  /** Height of the part of the scroller that its fixed header covers, in pixels. */
  coveredPx: number
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
export function GroupList(props: GroupListProps) {
  const { groups, scroller, coveredPx, total, nameOfBoard, onMore } = props
  const list = useRef<HTMLUListElement>(null)
  // Notes above the list come and go.
  const [topPx, setTopPx] = useState(0)
  useLayoutEffect(() => setTopPx(list.current?.offsetTop ?? 0))
  const rows = useVirtualList({
    count: groups.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    getItemKey: (index) => {
      const group = groups[index]
      return group === undefined ? index : keyOfGroup(group)
    },
    overscan: 2,
    scrollMargin: topPx,
    scrollPaddingStart: coveredPx,
  })
  const leave = useGroupCommands(groups, (index) => rows.scrollToIndex(index))
  const lastShown = rows.items.at(-1)?.index ?? 0
  const isNearEnd = lastShown >= groups.length - AHEAD
  useEffect(() => {
    if (isNearEnd) onMore?.()
  }, [isNearEnd, onMore])
  return (
    <div className="shrink-0 px-4 py-3 md:px-6">
      <ul
        ref={list}
        aria-label="Groups of duplicates"
        data-duplicates
        className="relative"
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
                style={{ transform: `translateY(${start - topPx}px)` }}
              >
                <GroupCard
                  group={group}
                  index={index}
                  nameOfBoard={nameOfBoard}
                  onLeave={() => leave(index)}
                />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
