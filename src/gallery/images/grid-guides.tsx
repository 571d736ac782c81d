import type { RefObject } from 'react'
import type { ElementSize } from '#gallery/ui/use-element-size.ts'
import { isGrouped, type PlacedGroup } from './grid-layout.ts'
import type { GridNow } from './grid-now.ts'
import { MonthHandle } from './month-handle.tsx'
import type { Month } from './month-marks.ts'
import { MonthRail } from './month-rail.tsx'
import { ScrollLabel } from './scroll-label.tsx'
import { StickyDay } from './sticky-day.tsx'

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
