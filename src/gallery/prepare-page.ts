import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { type ImageWindow, isTrash, viewOf } from '#gallery/api/images/image-windows.ts'
import { watchBack } from '#gallery/ui/keys/back.ts'
import { applyRememberedOrder, currentPlace, takeShareOutcome } from './url/use-place.ts'

/**
 * Prepares the page before its first render, and starts to load its data.
 *
 * @returns The outcome of the share that opened the page, see `readShares`.
 */
export async function preparePage(api: GalleryApi): Promise<{ shareOutcome: string | null }> {
  api.start()
  watchBack()
  const shareOutcome = takeShareOutcome()
  applyRememberedOrder()
  await api.account.renewMediaCookie()
  preloadData(api)
  return { shareOutcome }
}

/** Number of pictures that are requested before the components are there. A phone shows about as many at once. */
const FIRST_PICTURES = 12

/** Loads the data of the first screen in parallel before React renders: one round trip instead of three. */
function preloadData(api: GalleryApi): void {
  const { queryClient, capabilities, boardQueries, imageQueries } = api
  void queryClient.prefetchQuery(capabilities.query)
  void queryClient.prefetchQuery(boardQueries.list())
  void queryClient.prefetchQuery(boardQueries.uncategorizedCount())
  const place = currentPlace()
  const view = viewOf(place)
  if (isTrash(view) || (place.page !== null && place.image === null)) return
  // If it fails, the component that needs the window asks again and reports the error.
  queryClient.fetchQuery(imageQueries.window(view, 0)).then(
    ({ items }) => preloadPictures(api, items),
    () => undefined,
  )
}

/** Requests the first pictures, which arrive while the browser reads the components. */
function preloadPictures({ client }: GalleryApi, items: ImageWindow['items']): void {
  for (const record of items.slice(0, FIRST_PICTURES))
    if (record !== undefined) new Image().src = client.images.thumbnailUrl(record)
}
