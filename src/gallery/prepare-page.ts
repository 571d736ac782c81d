import { preloadPage } from '#gallery/api/connection/preload-page.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
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
  preloadPage(api, currentPlace())
}
