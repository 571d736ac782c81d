import { renewMediaCookie } from './api/account.ts'
import { preloadPage } from './api/preload-page.ts'
import { watchReachability } from './api/reachability.ts'
import { watchBack } from './ui/back.ts'
import { readShares } from './uploads/shared-files.ts'
import { applyRememberedOrder, currentPlace, takeShareOutcome } from './url/use-place.ts'

/** Prepares the page before its first render, and begins to load what that will show. */
export async function preparePage(): Promise<void> {
  watchBack()
  void readShares(takeShareOutcome())
  applyRememberedOrder()
  watchReachability()
  await renewMediaCookie()
  preloadPage(currentPlace())
}
