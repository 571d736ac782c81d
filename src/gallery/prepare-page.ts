import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { type ImageWindow, isTrash, viewOf } from '#gallery/api/images/image-windows.ts'
import { geometryOf } from '#gallery/images/grid/grid-geometry.ts'
import { currentTilePx } from '#gallery/images/grid/grid-preferences.ts'
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
  for (const record of items.slice(0, picturesPerScreen()))
    if (record !== undefined) new Image().src = client.images.thumbnailUrl(record)
}

/** Returns about how many pictures the window shows at once, before anything is laid out. */
function picturesPerScreen(): number {
  const { columns, rowPx } = geometryOf(window.innerWidth, currentTilePx())
  return columns * Math.ceil(window.innerHeight / rowPx)
}
