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

/** Pause between two turns of the wheel that belong to different gestures, in milliseconds. */
const GESTURE_GAP_MS = 700

/** A turn of the wheel, and the image that it kept in place. */
interface SizeTurn {
  readonly xPx: number
  readonly yPx: number
  readonly atMs: number
  readonly total: number
  readonly pivot: Pivot
}

/**
 * Changes the tile size on Ctrl+wheel or a touchpad pinch. The tile that was under the pointer when the gesture began
 * keeps its place. Each size has other rows, so the tile under the pointer can be another one after the first turn.
 */
export function useSizeWheel(grid: GridHandle, setPivot: (pivot: Pivot) => void): void {
  useEffect(() => {
    const element = grid.element
    if (element === null) return
    let last: SizeTurn | null = null
    const resize = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) {
        // The grid scrolls.
        last = null
        return
      }
      // Prevents the browser from zooming the page.
      event.preventDefault()
      const box = element.getBoundingClientRect()
      const xPx = event.clientX - box.left
      const yPx = event.clientY - box.top
      const now = { xPx, yPx, atMs: event.timeStamp, total: grid.now.total }
      const pivot = last && isSameGesture(last, now) ? last.pivot : pivotAt(grid.now, xPx, yPx)
      last = { ...now, pivot }
      setPivot(pivot)
      const notches = Math.min(Math.max(-event.deltaY / 100, -1), 1)
      setTileSize(currentTilePx() * 1.18 ** notches)
    }
    element.addEventListener('wheel', resize, { passive: false })
    return () => element.removeEventListener('wheel', resize)
  }, [grid, setPivot])
}

/** Positions mean other images after images were added or removed. */
const isSameGesture = (last: SizeTurn, now: Omit<SizeTurn, 'pivot'>): boolean =>
  now.atMs - last.atMs < GESTURE_GAP_MS &&
  now.xPx === last.xPx &&
  now.yPx === last.yPx &&
  now.total === last.total
