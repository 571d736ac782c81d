import { ChevronsUpDown } from 'lucide-react'
import { type RefObject, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { DayTitle } from '#gallery/images/timeline/day-heading.tsx'
import type { Month } from '#gallery/images/timeline/month-marks.ts'
import { MonthRail } from '#gallery/images/timeline/month-rail.tsx'
import { ScrollLabel } from '#gallery/images/timeline/scroll-label.tsx'
import { useMonthSlider } from '#gallery/images/timeline/use-month-slider.ts'
import type { ElementSize } from '#gallery/ui/use-element-size.ts'
import { type GridLayout, groupAt, HEADING_PX, isGrouped, type PlacedGroup } from './grid-layout.ts'
import type { GridNow } from './grid-now.ts'
import { ScrollerContext } from './grid-scroller.ts'

interface GridGuidesProps {
  now: GridNow
  /** The same, for what happens later. */
  current: RefObject<GridNow>
  grid: RefObject<HTMLElement | null>
  size: ElementSize
  months: readonly Month[]
  /** Where months can be gone to: beside the tiles, by a handle over them, or not at all. */
  monthsAt: 'side' | 'handle' | null
  /** What stands between the tiles and the scrollbar, in pixels. */
  besidePx: number
  onSelectGroup: (group: PlacedGroup) => void
}

/** What tells people where in time they are, and leads them elsewhere. */
export function GridGuides(props: GridGuidesProps) {
  const { now, current, grid, size, months, monthsAt, besidePx, onSelectGroup } = props
  const { layout, total } = now
  return (
    <>
      {isGrouped(layout) && (
        <StickyDay layout={layout} widthPx={size.widthPx - besidePx} onSelect={onSelectGroup} />
      )}
      {monthsAt === 'side' && (
        <MonthRail now={current} grid={grid} months={months} total={total} {...size} />
      )}
      {monthsAt === 'handle' && <MonthHandle now={current} months={months} />}
      <ScrollLabel now={current} months={months} besidePx={besidePx} />
    </>
  )
}

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
function StickyDay({ layout, widthPx, onSelect }: StickyDayProps) {
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

/** How long it stays after the last movement, in milliseconds. */
const LINGER_MS = 1500

interface MonthHandleProps {
  now: RefObject<GridNow>
  months: readonly Month[]
}

/** Where there is no room for years: a handle that comes while a person scrolls, to be dragged by a thumb. */
function MonthHandle({ now, months }: MonthHandleProps) {
  const line = useRef<HTMLDivElement>(null)
  const handle = useRef<HTMLDivElement>(null)
  const [isShown, setIsShown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { slider, isHeld, label, goToHeight, take, letGo } = useMonthSlider({
    now,
    months,
    line,
    onMove: (share) => {
      if (handle.current === null) return
      const top = `${share * 100}%`
      const hasMoved = handle.current.style.top !== '' && handle.current.style.top !== top
      handle.current.style.top = top
      if (!hasMoved) return
      setIsShown(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setIsShown(false), LINGER_MS)
    },
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  if (months.length === 0) return null

  return (
    <div ref={line} className="pointer-events-none absolute top-6 right-0 bottom-24 w-12">
      <div
        {...slider}
        ref={handle}
        className={`absolute right-0 flex h-12 w-11 -translate-y-1/2 touch-none select-none items-center justify-center rounded-l-full border border-line border-r-0 bg-raised text-muted shadow-raised transition-opacity focus-visible:opacity-100 ${isShown || isHeld ? 'pointer-events-auto' : 'opacity-0'}`}
        onPointerDown={take}
        onPointerMove={(event) => isHeld && goToHeight(event.clientY)}
        onPointerUp={letGo}
        onPointerCancel={letGo}
      >
        <ChevronsUpDown aria-hidden size={20} />
        {isHeld && (
          <span
            aria-hidden
            className="absolute right-full mr-2 whitespace-nowrap rounded-full border border-line bg-raised px-3 py-1 font-medium text-ink text-sm shadow-raised"
          >
            {label}
          </span>
        )}
      </div>
    </div>
  )
}
