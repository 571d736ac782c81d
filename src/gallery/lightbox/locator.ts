import type { QueryClient } from '@tanstack/react-query'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import {
  type ImageView,
  type ImageWindow,
  positionsIn,
  recordAt,
} from '#gallery/api/images/image-windows.ts'

/** Returns the cached windows of a view by index. */
export function knownWindows(client: QueryClient, view: ImageView): Map<number, ImageWindow> {
  const windows = new Map<number, ImageWindow>()
  const entries = client.getQueriesData<ImageWindow>({ queryKey: imageKeys.windows(view) })
  for (const [key, window] of entries) if (window) windows.set(Number(key[3]), window)
  return windows
}

/**
 * Returns a function that finds the position of an image in the cached windows of a view. It checks the last position
 * first, so that calling it on every change of the cache is cheap.
 */
export function makeLocator(client: QueryClient, view: ImageView) {
  let lastPosition = 0
  return (imageName: string): number | undefined => {
    const windows = knownWindows(client, view)
    if (recordAt(windows, lastPosition)?.image_name === imageName) return lastPosition
    const position = positionsIn(windows, new Set([imageName]))[0]
    if (position !== undefined) lastPosition = position
    return position
  }
}
