import {
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { isGrouped } from '#gallery/images/grid/grid-layout.ts'
import { seenRange } from '#gallery/images/grid/grid-now.ts'
import { topOfPosition } from '#gallery/images/grid/grid-rows.ts'
import { formatMonth } from '#gallery/ui/text/timestamp.ts'
import { type Month, monthIndexAt } from './month-marks.ts'

/** Distance from the start of a month within which a press snaps to that start, in pixels. */
const SNAP_PX = 4

interface MonthSliderOptions {
  grid: GridHandle
  months: readonly Month[]
  /** The pressed line. Its height represents all images. */
  line: RefObject<HTMLElement | null>
  /** Called on every movement, and once at rest, with the share of images above the screen, from 0 to 1. */
  onMove: (share: number, isMoving: boolean) => void
}

/**
 * Returns a slider over the months of a view. Arrow keys move it by a month, and the pointer to any image. It follows
 * the scroll position of the grid. While it is held, windows that it passes are not fetched.
 */
export function useMonthSlider({ grid, months, line, onMove }: MonthSliderOptions) {
  const [index, setIndex] = useState(0)
  const [isHeld, setIsHeld] = useState(false)
  /** Target of the last key. The last months may share one screen, where the position does not distinguish them. */
  const aimed = useRef<{ index: number; contentTop: number } | null>(null)
  const release = useRef<(() => void) | null>(null)
  const report = useEffectEvent(onMove)
  // Formatting a date in each frame of a fling would take longer than the rest of the slider.
  const label = useMemo(() => labelAt(months, months[index]?.from ?? 0), [months, index])

  useEffect(() => {
    const { scroller } = grid
    const update = (contentTop: number, isMoving: boolean) => {
      const { total } = grid.now
      const { from } = seenRange(grid.now)
      const isAimed = aimed.current?.contentTop === contentTop
      setIndex((isAimed && aimed.current?.index) || Math.max(0, monthIndexAt(months, from)))
      report(from / Math.max(1, total), isMoving)
    }
    update(scroller.contentTop, false)
    return scroller.observe(update)
  }, [grid, months])
  useEffect(() => () => release.current?.(), [])

  const show = (position: number) => {
    const { layout } = grid.now
    const abovePx = isGrouped(layout) ? layout.headingPx : layout.geometry.topPx
    grid.scroller.scrollTo(topOfPosition(layout, position) - abovePx)
  }
  const goToMonth = (wanted: number) => {
    show(months[wanted]?.from ?? 0)
    aimed.current = { index: wanted, contentTop: grid.scroller.contentTop }
    setIndex(wanted)
  }
  /** Returns the position at a height of the browser window. */
  const positionAt = (clientY: number): number => {
    const box = line.current?.getBoundingClientRect()
    if (box === undefined || box.height === 0) return 0
    const { total } = grid.now
    const share = Math.min(Math.max(0, (clientY - box.top) / box.height), 1)
    const position = Math.min(Math.floor(share * total), total - 1)
    const reach = (SNAP_PX / box.height) * total
    const near = months.find(({ from }) => Math.abs(from - position) <= reach)
    return near?.from ?? position
  }
  const letGo = () => {
    release.current?.()
    release.current = null
    setIsHeld(false)
  }

  return {
    isHeld,
    /** Returns the name of the month at a height of the browser window. */
    labelAt: (clientY: number): string => labelAt(months, positionAt(clientY)),
    label,
    /** Scrolls to the position at a height of the browser window. */
    goToHeight: (clientY: number) => show(positionAt(clientY)),
    take: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      release.current?.()
      release.current = grid.scroller.hold()
      setIsHeld(true)
    },
    letGo,
    /** Props that make an element the slider. */
    slider: {
      role: 'slider',
      tabIndex: 0,
      'aria-label': 'Go to a month',
      'aria-orientation': 'vertical',
      'aria-valuemin': 0,
      'aria-valuemax': Math.max(0, months.length - 1),
      'aria-valuenow': index,
      'aria-valuetext': label,
      onKeyDown: (event: { key: string; preventDefault: () => void }) => {
        const wanted = monthFrom(index, event.key, months.length)
        if (wanted === null) return
        event.preventDefault()
        goToMonth(wanted)
      },
    } as const,
  }
}

function labelAt(months: readonly Month[], position: number): string {
  const month = months[monthIndexAt(months, position)]
  return month ? formatMonth(month.month) : 'Starred'
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
  PageDown: 12,
  PageUp: -12,
  Home: -Infinity,
  End: Infinity,
}

/** Returns the index of the month that a key moves to; `null` for other keys. */
export function monthFrom(index: number, key: string, count: number): number | null {
  const step = STEPS[key]
  return step === undefined ? null : Math.min(Math.max(0, index + step), Math.max(0, count - 1))
}
