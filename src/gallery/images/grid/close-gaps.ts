import { MOTION, MOVE_MS } from '#gallery/ui/motion.ts'
import type { GridHandle } from './grid-handle.ts'
import { type GridNow, loadedRecord, loadedRecords, seenRange } from './grid-now.ts'
import { centerOf, topOfPosition } from './grid-rows.ts'

interface ScrolledGrid {
  readonly now: GridNow
  readonly contentTop: number
}

/**
 * Moves the visible tiles to their places after images were removed. The places are computed from the layouts, so that
 * nothing is measured. Call it in a layout effect.
 *
 * @param before - The grid with the removed images.
 */
export function closeGaps(grid: GridHandle, before: ScrolledGrid): void {
  if (!window.matchMedia(MOTION).matches) return
  const { now } = grid
  const { contentTop, viewportPx } = now.scroller
  const positions = visiblePositions(now)
  const moves = [...loadedRecords(before.now)].flatMap(([oldPosition, { image_name }]) => {
    const position = positions.get(image_name)
    if (position === undefined) return []
    const from = placeOf(before, oldPosition)
    const to = placeOf({ now, contentTop }, position)
    const [x, y] = [from.x - to.x, from.y - to.y]
    const isFar = Math.abs(y) > viewportPx
    return isFar || (x === 0 && y === 0) ? [] : [{ position, x, y }]
  })
  // A change of the layout can still render the tiles again, before the browser paints.
  queueMicrotask(() => {
    for (const { position, x, y } of moves) {
      const tile = grid.element?.querySelector(`[data-position="${position}"]`)
      const start = { transform: `translate(${x}px, ${y}px)` }
      tile?.animate([start, { transform: 'none' }], { duration: MOVE_MS, easing: 'ease-out' })
    }
  })
}

/** Returns the positions of the visible images by their names. */
function visiblePositions(now: GridNow): Map<string, number> {
  const positions = new Map<string, number>()
  const { from, to } = seenRange(now)
  for (let position = from; position <= to; position += 1) {
    const record = loadedRecord(now, position)
    if (record) positions.set(record.image_name, position)
  }
  return positions
}

/** Returns the center of an image from the left, and its top from the upper edge of the grid, in pixels. */
const placeOf = ({ now: { layout }, contentTop }: ScrolledGrid, position: number) => ({
  x: centerOf(layout, position),
  y: topOfPosition(layout, position) - contentTop,
})
