import { useEffect, useRef } from 'react'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { type GridNow, loadedRecord, seenRange } from '#gallery/images/grid/grid-now.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { formatDate, formatMonth } from '#gallery/ui/text/timestamp.ts'
import { type Month, monthIndexAt } from './month-marks.ts'

/** Time that the label stays at rest, in milliseconds. */
const LINGER_MS = 600

interface ScrollLabelProps {
  grid: GridHandle
  months: readonly Month[]
  /** Width of the month rail between the tiles and the scrollbar, in pixels; 0 without a rail. */
  railWidthPx: number
}

/** A label next to the scrollbar thumb during fast scrolling. It shows the day, the month, or the image number. */
export function ScrollLabel({ grid, months, railWidthPx }: ScrollLabelProps) {
  const here = useRef<HTMLDivElement>(null)
  const label = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { scroller } = grid
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = () => {
      if (label.current) label.current.style.opacity = '0'
    }
    // Written directly to the DOM: sixty renders per second for one line of text would be wasteful.
    const stop = scroller.observe((contentTop, isMoving) => {
      if (here.current === null || label.current === null) return
      // A held handle shows the month itself.
      if (!scroller.isScrollingSlowly() && !scroller.isHeld) {
        here.current.style.transform = `translateY(${scroller.scrollableShare(contentTop) * 100}%)`
        label.current.textContent = textFor(grid.now, months)
        label.current.style.opacity = '1'
      }
      // Only at rest: a new timer for each movement slows down flings.
      clearTimeout(timer)
      if (!isMoving) timer = setTimeout(hide, LINGER_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [grid, months])

  return (
    // As high as the way of the label. Browsers move it without a new layout.
    <div
      ref={here}
      aria-hidden
      style={{ right: 20 + railWidthPx }}
      className="pointer-events-none absolute top-0 bottom-8 will-change-transform"
    >
      <div
        ref={label}
        className="absolute right-0 flex h-8 items-center whitespace-nowrap rounded-full border border-line bg-raised px-3 text-sm tabular-nums opacity-0 shadow-raised transition-opacity"
      />
    </div>
  )
}

function textFor(now: GridNow, months: readonly Month[]): string {
  const { from } = seenRange(now)
  const record = loadedRecord(now, from)
  if (!record) {
    const month = months[monthIndexAt(months, from)]
    return month
      ? formatMonth(month.month)
      : `${formatCount(from + 1)} of ${formatCount(now.total)}`
  }
  return formatDate(record.taken_at ?? record.created_at)
}
