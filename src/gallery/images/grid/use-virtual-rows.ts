import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect } from 'react'
import type { GridLayout } from './grid-layout.ts'
import { heightOfRow, positionsOfRows } from './grid-rows.ts'
import type { GridScroller } from './grid-scroller.ts'

/** Rows rendered beyond the edges of the screen. */
const OVERSCAN = 2

interface VirtualRows {
  /** Those to render: on the screen and a little beyond. */
  readonly rows: readonly VirtualItem[]
  /** How many rows of images there can be at once. */
  readonly slots: number
  /** The images on the screen, by position; `null` before the first layout. */
  readonly positions: { readonly from: number; readonly to: number } | null
}

interface VirtualRowsOptions {
  grid: RefObject<HTMLElement | null>
  scroller: GridScroller
  /** `null`: nothing is shown yet. */
  layout: GridLayout | null
  viewportPx: number
}

/** Which rows of a layout are rendered where the grid is scrolled to. */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { grid, scroller, layout, viewportPx } = options
  const virtualizer = useVirtualizer({
    count: layout?.rowCount ?? 0,
    getScrollElement: () => grid.current,
    estimateSize: (row) => (layout === null ? 0 : heightOfRow(layout, row)),
    paddingStart: layout?.groups[0]?.topPx ?? 0,
    overscan: OVERSCAN,
    // The scroller alone writes scroll positions: they stand for places in content that may be higher.
    scrollToFn: () => {},
    initialOffset: () => scroller.contentTop,
    observeElementOffset: (_, report) => {
      report(scroller.contentTop, false)
      return scroller.observe(report)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured again when they change
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, layout])
  const screenRows = layout === null ? 0 : viewportPx / layout.geometry.rowPx
  return {
    rows: virtualizer.getVirtualItems(),
    slots: Math.ceil(screenRows) + 1 + 2 * OVERSCAN,
    positions: layout && virtualizer.range && positionsOfRows(layout, virtualizer.range),
  }
}
