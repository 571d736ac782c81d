import type { QueryClient } from '@tanstack/react-query'
import { cachedWindows } from '#gallery/api/images/image-cache.ts'
import { type ImageView, positionsIn, recordAt } from '#gallery/api/images/image-windows.ts'

/** Returns a function that finds an image in the cached windows. It tries the last position first, which is cheap. */
export function makeLocator(client: QueryClient, view: ImageView) {
  let lastPosition = 0
  return (imageName: string): number | undefined => {
    const windows = cachedWindows(client, view)
    if (recordAt(windows, lastPosition)?.image_name === imageName) return lastPosition
    const position = positionsIn(windows, new Set([imageName]))[0]
    if (position !== undefined) lastPosition = position
    return position
  }
}
