import { type RefObject, useEffect } from 'react'
import { type GridNow, type Pivot, pivotAt } from '#gallery/images/grid/grid-now.ts'
import { currentTilePx, tileSizeChanged } from '#gallery/images/grid/grid-preferences.ts'

/** Ctrl+wheel, or a pinch on a touchpad, changes the size of tiles; the one under the pointer stays there. */
export function useSizeWheel(
  grid: RefObject<HTMLElement | null>,
  now: RefObject<GridNow>,
  pivotOn: (pivot: Pivot) => void,
): void {
  useEffect(() => {
    const element = grid.current
    if (element === null) return
    const resize = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      // Otherwise the whole page is zoomed.
      event.preventDefault()
      const box = element.getBoundingClientRect()
      pivotOn(pivotAt(now.current, event.clientX - box.left, event.clientY - box.top))
      const notches = Math.min(Math.max(-event.deltaY / 100, -1), 1)
      tileSizeChanged(currentTilePx() * 1.18 ** notches)
    }
    element.addEventListener('wheel', resize, { passive: false })
    return () => element.removeEventListener('wheel', resize)
  }, [grid, now, pivotOn])
}
