import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { isTrash, viewOf } from '#gallery/api/images/image-windows.ts'
import { watchBack } from '#gallery/ui/keys/back.ts'
import { readShares } from './uploads/shared-files.ts'
import { applyRememberedOrder, currentPlace, takeShareOutcome } from './url/use-place.ts'

/** Prepares the page before its first render, and starts to load its data. */
export async function preparePage(api: GalleryApi): Promise<void> {
  api.start()
  watchBack()
  void readShares(takeShareOutcome())
  applyRememberedOrder()
  await api.account.renewMediaCookie()
  preloadData(api)
}

/** Loads the data of the first screen in parallel before React renders: one round trip instead of three. */
function preloadData({ queryClient, capabilities, boardQueries, imageQueries }: GalleryApi): void {
  void queryClient.prefetchQuery(capabilities.query)
  void queryClient.prefetchQuery(boardQueries.list())
  void queryClient.prefetchQuery(boardQueries.uncategorizedCount())
  const view = viewOf(currentPlace())
  if (!isTrash(view)) void queryClient.prefetchQuery(imageQueries.window(view, 0))
}
