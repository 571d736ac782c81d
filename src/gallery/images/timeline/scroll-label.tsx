import { type RefObject, useContext, useEffect, useRef } from 'react'
import { type GridNow, loadedRecord, seenRange } from '#gallery/images/grid/grid-now.ts'
import { ScrollerContext } from '#gallery/images/grid/grid-scroller.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { formatDate, formatMonth } from '#gallery/ui/text/timestamp.ts'
import { type Month, monthIndexAt } from './month-marks.ts'

/** How long it stays after the last movement, in milliseconds. */
const LINGER_MS = 700

/** Its own height, in pixels. */
const HEIGHT_PX = 32

interface ScrollLabelProps {
  now: RefObject<GridNow>
  months: readonly Month[]
  /** What stands between it and the scrollbar, in pixels. */
  besidePx: number
}

/** Rides beside the scrollbar's thumb while a person flings: the day, the month, or how far down that is. */
export function ScrollLabel({ now, months, besidePx }: ScrollLabelProps) {
  const scroller = useContext(ScrollerContext)
  const label = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (scroller === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = () => {
      if (label.current) label.current.style.opacity = '0'
    }
    // Written straight to the page: sixty renders a second for one line of text would be a waste.
    const stop = scroller.observe((contentTop) => {
      const node = label.current
      if (node === null) return
      // Who holds a handle sees the month beside that.
      if (!scroller.isCalm() && !scroller.isHeld) {
        const share = scroller.scrollableShare(contentTop)
        node.style.top = `calc(${share * 100}% - ${share * HEIGHT_PX}px)`
        node.textContent = textFor(now.current, months)
        node.style.opacity = '1'
      }
      clearTimeout(timer)
      timer = setTimeout(hide, LINGER_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [scroller, now, months])

  return (
    <div
      ref={label}
      aria-hidden
      style={{ right: 20 + besidePx }}
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
