import type { QueryClient } from '@tanstack/react-query'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { type GridNow, loadedRecords } from '#gallery/images/grid/grid-now.ts'

/** Returns the position of an image in the current view; `null` if it is gone or the request failed. */
export async function findPosition(
  client: QueryClient,
  now: GridNow,
  imageName: string,
): Promise<number | null> {
  for (const [position, { image_name }] of loadedRecords(now)) {
    if (image_name === imageName) return position
  }
  return fetchPosition(client, now.view, imageName)
}

/** Asks the server for the position of an image in a view; `null` if it is gone or the request failed. */
export async function fetchPosition(
  client: QueryClient,
  view: ImageView,
  imageName: string,
): Promise<number | null> {
  try {
    return (await client.fetchQuery(imageQueries.position(view, imageName))).position
  } catch {
    return null
  }
}
