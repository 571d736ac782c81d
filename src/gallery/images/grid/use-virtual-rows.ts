import { type RefObject, useLayoutEffect } from 'react'
import { useVirtualList } from '#gallery/ui/use-virtual-list.ts'
import type { GridLayout } from './grid-layout.ts'
import { heightOfRow, positionsOfRows } from './grid-rows.ts'
import type { GridScroller } from './grid-scroller.ts'

/** Number of rows rendered beyond each edge of the screen. */
const OVERSCAN = 2

interface VirtualRowsOptions {
  element: RefObject<HTMLElement | null>
  scroller: GridScroller
  /** `null`: nothing is shown yet. */
  layout: GridLayout | null
  viewportPx: number
}

/** Returns the rows of a layout to render at the current scroll position. */
export function useVirtualRows(options: VirtualRowsOptions) {
  const { element, scroller, layout, viewportPx } = options
  const { items, range, measure } = useVirtualList({
    count: layout?.rowCount ?? 0,
    getScrollElement: () => element.current,
    estimateSize: (row) => (layout === null ? 0 : heightOfRow(layout, row)),
    paddingStart: layout?.groups[0]?.topPx ?? 0,
    overscan: OVERSCAN,
    // Only the scroller sets scroll positions, because the content may be higher than the box.
    scrollToFn: () => {},
    initialOffset: () => scroller.contentTop,
    observeElementOffset: (_, report) => {
      report(scroller.contentTop, false)
      return scroller.observe(report)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured again when they change
  useLayoutEffect(() => measure(), [measure, layout])
  const screenRows = layout === null ? 0 : viewportPx / layout.geometry.rowPx
  return {
    /** Rows to render: those on the screen and {@link OVERSCAN} more at each edge. */
    rows: items,
    /** Maximum number of rows of images at once. */
    slots: Math.ceil(screenRows) + 1 + 2 * OVERSCAN,
    /** Positions of the images on the screen; `null` before the first layout. */
    positions: layout && range && positionsOfRows(layout, range),
  }
}
