import { type RefObject, useContext, useLayoutEffect, useRef, useState } from 'react'
import { DayTitle } from './day-heading.tsx'
import { type GridLayout, groupAt, HEADING_PX, type PlacedGroup } from './grid-layout.ts'
import { ScrollerContext } from './scroller-context.ts'

interface StickyDayProps {
  layout: GridLayout
  /** Of the tiles with what is around them, in pixels. */
  widthPx: number
  onSelect: (group: PlacedGroup) => void
}

/**
 * The day at the upper edge, over the tiles, pushed away by the next one. The rows tell it to screen
 * readers; this is for eyes and pointers.
 */
export function StickyDay({ layout, widthPx, onSelect }: StickyDayProps) {
  const box = useRef<HTMLDivElement>(null)
  const key = useGroupAtTop(layout, box)
  const group = layout.groups.find((one) => one.key === key)
  if (group === undefined) return null
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-0 left-0 overflow-hidden"
      style={{ width: widthPx, height: HEADING_PX }}
    >
      <div ref={box} className="h-full bg-surface">
        <DayTitle group={group} leftPx={layout.geometry.leftPx} onSelect={onSelect} />
      </div>
    </div>
  )
}

/** The key of the group at the upper edge; moves the box up as the next one comes. */
function useGroupAtTop(layout: GridLayout, box: RefObject<HTMLElement | null>): string {
  const scroller = useContext(ScrollerContext)
  const [key, setKey] = useState('')
  useLayoutEffect(() => {
    if (scroller === null) return
    const place = (contentTop: number) => {
      const group = groupAt(layout, contentTop)
      const next = groupAt(layout, contentTop + HEADING_PX)
      const pushedPx = next === group ? 0 : contentTop + HEADING_PX - next.topPx
      if (box.current) {
        box.current.style.transform = `translateY(${-pushedPx}px)`
        // Where the heading itself is wholly seen, it is what is pressed.
        box.current.hidden = contentTop <= group.topPx
      }
      setKey(group.key)
    }
    place(scroller.contentTop)
    return scroller.observe(place)
  }, [scroller, layout, box])
  return key
}
