import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { type GridNow, loadedPosition } from '#gallery/images/grid/grid-now.ts'

/** Returns the position of an image in the current view; `null` if it is gone or the request failed. */
export async function findPosition(
  api: GalleryApi,
  now: GridNow,
  imageName: string,
): Promise<number | null> {
  return loadedPosition(now, imageName) ?? fetchPosition(api, now.view, imageName)
}

/** Asks the server for the position of an image in a view; `null` if it is gone or the request failed. */
export async function fetchPosition(
  api: GalleryApi,
  view: ImageView,
  imageName: string,
): Promise<number | null> {
  try {
    return (await api.queryClient.fetchQuery(api.imageQueries.position(view, imageName))).position
  } catch {
    return null
  }
}
