import { useEffect, useRef } from 'react'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { type GridNow, loadedRecord, seenRange } from '#gallery/images/grid/grid-now.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { formatDate, formatMonth } from '#gallery/ui/text/timestamp.ts'
import { type Month, monthIndexAt } from './month-marks.ts'

/** Time that the label stays after the last movement, in milliseconds. */
const LINGER_MS = 700

const HEIGHT_PX = 32

interface ScrollLabelProps {
  grid: GridHandle
  months: readonly Month[]
  /** Width of the month rail between the tiles and the scrollbar, in pixels; 0 without a rail. */
  railWidthPx: number
}

/** A label next to the scrollbar thumb during fast scrolling. It shows the day, the month, or the image number. */
export function ScrollLabel({ grid, months, railWidthPx }: ScrollLabelProps) {
  const label = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { scroller } = grid
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = () => {
      if (label.current) label.current.style.opacity = '0'
    }
    // Written directly to the DOM: sixty renders per second for one line of text would be wasteful.
    const stop = scroller.observe((contentTop) => {
      const node = label.current
      if (node === null) return
      // A held handle shows the month itself.
      if (!scroller.isScrollingSlowly() && !scroller.isHeld) {
        const share = scroller.scrollableShare(contentTop)
        node.style.top = `calc(${share * 100}% - ${share * HEIGHT_PX}px)`
        node.textContent = textFor(grid.now, months)
        node.style.opacity = '1'
      }
      clearTimeout(timer)
      timer = setTimeout(hide, LINGER_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [grid, months])

  return (
    <div
      ref={label}
      aria-hidden
      style={{ right: 20 + railWidthPx }}
      className="pointer-events-none absolute flex h-8 items-center rounded-full border border-line bg-raised px-3 text-sm tabular-nums opacity-0 shadow-raised transition-opacity"
    />
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
