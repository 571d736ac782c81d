import { applyTabMessage } from '#gallery/api/after-changes.ts'
import { renewMediaCookie } from '#gallery/api/connection/account.ts'
import { preloadPage } from '#gallery/api/connection/preload-page.ts'
import { watchReachability } from '#gallery/api/connection/reachability.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { watchBack } from '#gallery/ui/keys/back.ts'
import { readShares } from './uploads/shared-files.ts'
import { applyRememberedOrder, currentPlace, takeShareOutcome } from './url/use-place.ts'

/** Prepares the page before its first render, and starts to load its data. */
export async function preparePage(): Promise<void> {
  theGallery.start()
  theGallery.tabs.start(new AbortController().signal, applyTabMessage)
  watchBack()
  void readShares(takeShareOutcome())
  applyRememberedOrder()
  watchReachability()
  await renewMediaCookie()
  preloadPage(currentPlace())
}
