import { type RefObject, useEffect } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { type GridNow, type Pivot, pivotAt } from '#gallery/images/grid/grid-now.ts'
import {
  currentTilePx,
  type TileFit,
  tileSizeChanged,
} from '#gallery/images/grid/grid-preferences.ts'

/** The thumbnail that every image has from the beginning, by its longest side in pixels. */
export const FIRST_THUMBNAIL_PX = 384

/**
 * The longest side that a tile's picture needs so that no pixel of it is drawn larger than one of the
 * screen, up to the original's own.
 */
export function neededPx(
  { width, height }: Pick<ImageRecord, 'width' | 'height'>,
  { tilePx, fit, deviceRatio }: { tilePx: number; fit: TileFit; deviceRatio: number },
): number {
  const longest = Math.max(width, height)
  const shortest = Math.max(1, Math.min(width, height))
  const wanted = tilePx * deviceRatio * (fit === 'fill' ? longest / shortest : 1)
  return Math.ceil(Math.min(longest, wanted))
}

/** How a picture lies in a square tile: its own proportions, or all of the square. */
export function pictureBox(
  { width, height }: Pick<ImageRecord, 'width' | 'height'>,
  tilePx: number,
  fit: TileFit,
): { widthPx: number; heightPx: number } {
  if (fit === 'fill' || width <= 0 || height <= 0) return { widthPx: tilePx, heightPx: tilePx }
  const scale = tilePx / Math.max(width, height)
  return {
    widthPx: Math.max(1, Math.round(width * scale)),
    heightPx: Math.max(1, Math.round(height * scale)),
  }
}

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
