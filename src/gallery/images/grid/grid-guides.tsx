import { ChevronsUpDown } from 'lucide-react'
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Noun } from '#gallery/api/images/noun.ts'
import { DayTitle } from '#gallery/images/timeline/day-heading.tsx'
import type { Month } from '#gallery/images/timeline/month-marks.ts'
import { MonthRail } from '#gallery/images/timeline/month-rail.tsx'
import { ScrollLabel } from '#gallery/images/timeline/scroll-label.tsx'
import { useMonthSlider } from '#gallery/images/timeline/use-month-slider.ts'
import type { ElementSize } from '#gallery/ui/use-element-size.ts'
import type { GridHandle } from './grid-handle.ts'
import { type GridLayout, groupAt, HEADING_PX, isGrouped, type PlacedGroup } from './grid-layout.ts'
import type { GridNow } from './grid-now.ts'
import type { GridScroller } from './grid-scroller.ts'

interface GridGuidesProps {
  now: GridNow
  grid: GridHandle
  size: ElementSize
  months: readonly Month[]
  /** Place of the month control; null for none. */
  monthsAt: 'handle' | 'side' | null
  railWidthPx: number
  onSelectGroup: (group: PlacedGroup) => void
}

/** Shows the current date while scrolling, and controls to jump to a month. */
export const GridGuides = memo(function GridGuides(props: GridGuidesProps) {
  const { now, grid, size, months, monthsAt, railWidthPx, onSelectGroup } = props
  const { layout, total } = now
  return (
    <>
      {isGrouped(layout) && (
        <StickyDay
          scroller={grid.scroller}
          layout={layout}
          noun={now.noun}
          widthPx={size.widthPx - railWidthPx}
          onSelect={onSelectGroup}
        />
      )}
      {monthsAt === 'side' && <MonthRail grid={grid} months={months} total={total} {...size} />}
      {monthsAt === 'handle' && <MonthHandle grid={grid} months={months} />}
      <ScrollLabel grid={grid} months={months} railWidthPx={railWidthPx} />
    </>
  )
})

interface StickyDayProps {
  scroller: GridScroller
  layout: GridLayout
  noun: Noun
  /** Width of the tiles with the space around them, in pixels. */
  widthPx: number
  onSelect: (group: PlacedGroup) => void
}

/** The heading of the topmost day, which the next pushes away. Screen readers get the headings in the rows instead. */
function StickyDay({ scroller, layout, noun, widthPx, onSelect }: StickyDayProps) {
  const box = useRef<HTMLDivElement>(null)
  const [key, setKey] = useState('')
  useLayoutEffect(() => {
    const place = (contentTop: number) => {
      const group = groupAt(layout, contentTop)
      const next = groupAt(layout, contentTop + HEADING_PX)
      // The next heading pushes this one up.
      const pushedPx = next === group ? 0 : contentTop + HEADING_PX - next.topPx
      if (box.current) {
        box.current.style.transform = `translateY(${-pushedPx}px)`
        // While the original heading is fully visible, it receives the clicks.
        box.current.hidden = contentTop <= group.topPx
      }
      setKey(group.key)
    }
    place(scroller.contentTop)
    return scroller.observe(place)
  }, [scroller, layout])
  const group = layout.groups.find((one) => one.key === key)
  if (group === undefined) return null
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-0 left-0 overflow-hidden"
      style={{ width: widthPx, height: HEADING_PX }}
    >
      <div ref={box} className="h-full bg-surface">
        <DayTitle group={group} noun={noun} leftPx={layout.geometry.leftPx} onSelect={onSelect} />
      </div>
    </div>
  )
}

/** Time that the handle stays visible at rest, in milliseconds. */
const LINGER_MS = 1400

/** A drag handle for narrow screens without room for the rail. It appears while the user scrolls. */
function MonthHandle({ grid, months }: { grid: GridHandle; months: readonly Month[] }) {
  const line = useRef<HTMLDivElement>(null)
  const here = useRef<HTMLDivElement>(null)
  const [isShown, setIsShown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { slider, isHeld, label, goToHeight, take, letGo } = useMonthSlider({
    grid,
    months,
    line,
    onMove: (share, isMoving) => {
      if (here.current) here.current.style.transform = `translateY(${share * 100}%)`
      // Only at rest: a new timer for each movement slows down flings.
      clearTimeout(timer.current)
      if (isMoving) setIsShown(true)
      else timer.current = setTimeout(() => setIsShown(false), LINGER_MS)
    },
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  if (months.length === 0) return null

  return (
    <div ref={line} className="pointer-events-none absolute top-6 right-0 bottom-24 w-12">
      {/* As high as the line. Browsers move it without a new layout. */}
      <div ref={here} className="h-full will-change-transform">
        <div
          {...slider}
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
    </div>
  )
}
