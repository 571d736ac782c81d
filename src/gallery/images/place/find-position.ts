import type { QueryClient } from '@tanstack/react-query'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import { type GridNow, loadedRecords } from '#gallery/images/grid/grid-now.ts'

/** Where an image stands in the view that is shown; `null` where it is gone, or no answer came. */
export async function findPosition(
  client: QueryClient,
  now: GridNow,
  imageName: string,
): Promise<number | null> {
  for (const [position, { image_name }] of loadedRecords(now)) {
    if (image_name === imageName) return position
  }
  try {
    return (await client.fetchQuery(imageQueries.position(now.view, imageName))).position
  } catch {
    return null
  }
}
