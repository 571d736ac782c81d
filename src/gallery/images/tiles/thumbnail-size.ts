import { useEffect } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { type Pivot, pivotAt } from '#gallery/images/grid/grid-now.ts'
import { currentTilePx, setTileSize, type TileFit } from '#gallery/images/grid/grid-preferences.ts'

/** Longest side of the thumbnail that every image has from the start, in pixels. */
export const FIRST_THUMBNAIL_PX = 384

/** Returns the longest side, in pixels, at which no pixel is enlarged on screen; at most the original's. */
export function neededPx(
  { width, height }: Pick<ImageRecord, 'width' | 'height'>,
  { fit, deviceRatio, ...tile }: TileSize & { fit: TileFit; deviceRatio: number },
): number {
  const longest = Math.max(width, height)
  const scales = [tile.widthPx / Math.max(1, width), tile.heightPx / Math.max(1, height)]
  const scale = fit === 'fill' ? Math.max(...scales) : Math.min(...scales)
  return Math.ceil(Math.min(longest, longest * scale * deviceRatio))
}

/** Size of a tile, in CSS pixels. */
export interface TileSize {
  readonly widthPx: number
  readonly heightPx: number
}

/** Returns the size of an image in its tile: in its own proportions, or the full tile. */
export function pictureBox(
  { width, height }: Pick<ImageRecord, 'width' | 'height'>,
  tile: TileSize,
  fit: TileFit,
): TileSize {
  if (fit === 'fill' || width <= 0 || height <= 0) return tile
  const scale = Math.min(tile.widthPx / width, tile.heightPx / height)
  return {
    widthPx: Math.max(1, Math.round(width * scale)),
    heightPx: Math.max(1, Math.round(height * scale)),
  }
}

/** Changes the tile size on Ctrl+wheel or a touchpad pinch. The tile under the pointer keeps its place. */
export function useSizeWheel(grid: GridHandle, setPivot: (pivot: Pivot) => void): void {
  useEffect(() => {
    const element = grid.element
    if (element === null) return
    const resize = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      // Prevents the browser from zooming the page.
      event.preventDefault()
      const box = element.getBoundingClientRect()
      setPivot(pivotAt(grid.now, event.clientX - box.left, event.clientY - box.top))
      const notches = Math.min(Math.max(-event.deltaY / 100, -1), 1)
      setTileSize(currentTilePx() * 1.18 ** notches)
    }
    element.addEventListener('wheel', resize, { passive: false })
    return () => element.removeEventListener('wheel', resize)
  }, [grid, setPivot])
}
