import { useMemo, useRef, useState } from 'react'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { type Month, marksOf } from './month-marks.ts'
import { useMonthSlider } from './use-month-slider.ts'

/** Width of the rail, in pixels: room for a year. */
export const RAIL_PX = 48

/** Space above and below the line, in pixels: half a line of text. */
const END_PX = 12

interface MonthRailProps {
  grid: GridHandle
  months: readonly Month[]
  total: number
  /** Size of the grid without its scrollbar, in pixels. The rail is at its right edge. */
  widthPx: number
  heightPx: number
}

/** The years and months of a view next to the scrollbar, each in proportion to its number of images. */
export function MonthRail({ grid, months, total, widthPx, heightPx }: MonthRailProps) {
  const line = useRef<HTMLDivElement>(null)
  const here = useRef<HTMLSpanElement>(null)
  const [hovered, setHovered] = useState<{ label: string; yPx: number } | null>(null)
  const linePx = Math.max(0, heightPx - 2 * END_PX)
  const marks = useMemo(() => marksOf(months, total, linePx), [months, total, linePx])
  const { slider, isHeld, labelAt, goToHeight, take, letGo } = useMonthSlider({
    grid,
    months,
    line,
    onMove: (share) => {
      if (here.current) here.current.style.transform = `translateY(${share * 100}%)`
    },
  })
  if (months.length === 0) return null

  return (
    <div
      {...slider}
      className="group/rail absolute inset-y-0 cursor-pointer touch-none select-none outline-offset-[-2px]"
      style={{ left: widthPx - RAIL_PX, width: RAIL_PX, paddingBlock: END_PX }}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        take(event)
        goToHeight(event.clientY)
      }}
      onPointerMove={(event) => {
        const { clientY } = event
        setHovered({ label: labelAt(clientY), yPx: within(clientY, line.current) })
        if (isHeld) goToHeight(clientY)
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onPointerLeave={() => setHovered(null)}
      // The rail covers the grid's box without being its descendant, so the grid gets no wheel events from it.
      onWheel={(event) => grid.element?.scrollBy(0, event.deltaY)}
    >
      <div ref={line} className="relative h-full">
        {marks.map(({ yPx, year }) =>
          year === null ? (
            <span
              key={yPx}
              aria-hidden
              className="absolute right-3 size-1 -translate-y-1/2 rounded-full bg-line group-hover/rail:bg-muted"
              style={{ top: yPx }}
            />
          ) : (
            <span
              key={yPx}
              aria-hidden
              className="absolute right-2 -translate-y-1/2 text-muted text-xs tabular-nums"
              style={{ top: yPx }}
            >
              {year}
            </span>
          ),
        )}
        {/* As high as the line. Browsers move it without a new layout. */}
        <span ref={here} aria-hidden className="absolute inset-0 will-change-transform">
          <span className="absolute right-0 h-1 w-1.5 -translate-y-1/2 rounded-l-full bg-accent" />
        </span>
        {hovered && <MonthBubble {...hovered} />}
      </div>
    </div>
  )
}

/** Shows the month at the pointer. */
function MonthBubble({ label, yPx }: { label: string; yPx: number }) {
  return (
    <span
      role="tooltip"
      className="pointer-events-none absolute right-full mr-1 -translate-y-1/2 whitespace-nowrap rounded-full border border-line bg-raised px-3 py-1 font-medium text-sm tabular-nums shadow-raised"
      style={{ top: yPx }}
    >
      {label}
    </span>
  )
}

function within(clientY: number, line: HTMLElement | null): number {
  const box = line?.getBoundingClientRect()
  return box ? Math.min(Math.max(0, clientY - box.top), box.height) : 0
}
