import { useMemo, useSyncExternalStore } from 'react'
import type { GridLayout } from './grid-layout.ts'
import { positionsOfRows, rowAt } from './grid-rows.ts'
import type { GridScroller } from './grid-scroller.ts'

/** Number of rows rendered beyond each edge of the screen. */
const OVERSCAN = 2

/** Justified rows may be lower than a square tile. */
const LOWEST_SHARE = 0.5

interface VirtualRowsOptions {
  scroller: GridScroller
  /** `null`: nothing is shown yet. */
  layout: GridLayout | null
  viewportPx: number
}

/**
 * Returns the rows of a layout to render at the current scroll position. The layout itself finds them: a virtualizer
 * would ask for the height of every row whenever the layout changes.
 */
export function useVirtualRows({ scroller, layout, viewportPx }: VirtualRowsOptions) {
  const range = useSyncExternalStore(scroller.observe, () => {
    const seen = seenRows({ scroller, layout, viewportPx })
    // As text, because the store compares its values by identity.
    return seen === null ? '' : `${seen.startIndex} ${seen.endIndex}`
  })
  const [startIndex = 0, endIndex = -1] = range === '' ? [] : range.split(' ').map(Number)
  const rowCount = layout?.rowCount ?? 0
  const rows = useMemo(() => {
    const first = Math.max(0, startIndex - OVERSCAN)
    const last = Math.min(endIndex + OVERSCAN, rowCount - 1)
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => ({ index: first + at }))
  }, [startIndex, endIndex, rowCount])
  const isJustified = layout?.ratios != null
  const leastPx = (layout?.geometry.rowPx ?? 1) * (isJustified ? LOWEST_SHARE : 1)
  const screenRows = Math.ceil(viewportPx / leastPx) + 1
  return {
    /** Rows to render: those on the screen and {@link OVERSCAN} more at each edge. */
    rows: endIndex < 0 ? [] : rows,
    /** Maximum number of rows of images at once. */
    slots: Math.max(screenRows + 2 * OVERSCAN, rows.length),
  }
}

/** Returns the positions of the images on the screen; `null` before the first layout. */
export function seenPositions(options: VirtualRowsOptions): { from: number; to: number } | null {
  const seen = seenRows(options)
  return options.layout && seen && positionsOfRows(options.layout, seen)
}

/** Returns the first and the last visible row; `null` before the first layout. */
function seenRows({ scroller, layout, viewportPx }: VirtualRowsOptions) {
  if (layout === null || viewportPx === 0) return null
  return {
    startIndex: rowAt(layout, scroller.contentTop),
    endIndex: rowAt(layout, scroller.contentTop + viewportPx - 1),
  }
}
