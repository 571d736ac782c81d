import { useEffect } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { contentTopFor, type GridNow, type Pivot, pivotAt } from '#gallery/images/grid/grid-now.ts'
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

/**
 * Changes the tile size on Ctrl+wheel or a touchpad pinch. While the pointer rests, the tile that was under it at first
 * keeps its place. Each size has other rows, so that another tile can be under the pointer after the first turn.
 */
export function useSizeWheel(grid: GridHandle, setPivot: (pivot: Pivot) => void): void {
  useEffect(() => {
    const element = grid.element
    if (element === null) return
    let last: Pivot | null = null
    const resize = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      // Prevents the browser from zooming the page.
      event.preventDefault()
      const box = element.getBoundingClientRect()
      const xPx = event.clientX - box.left
      const yPx = event.clientY - box.top
      const isSameTile = last?.xPx === xPx && last.yPx === yPx && isInPlace(grid.now, last)
      last = isSameTile && last !== null ? last : pivotAt(grid.now, xPx, yPx)
      setPivot(last)
      const notches = Math.min(Math.max(-event.deltaY / 100, -1), 1)
      setTileSize(currentTilePx() * 1.18 ** notches)
    }
    element.addEventListener('wheel', resize, { passive: false })
    return () => element.removeEventListener('wheel', resize)
  }, [grid, setPivot])
}

/** Returns false after the grid was scrolled, and where the grid ends before the pivot can be in its place. */
const isInPlace = ({ layout, scroller }: GridNow, pivot: Pivot): boolean =>
  Math.abs(contentTopFor(layout, pivot) - scroller.contentTop) <= 1
