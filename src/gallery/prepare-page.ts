import { renewMediaCookie } from './api/account.ts'
import { preloadPage } from './api/preload-page.ts'
import { watchReachability } from './api/reachability.ts'
import { watchBack } from './ui/back.ts'
import { currentPlace } from './url/use-place.ts'

/** Prepares the page before its first render, and begins to load what that will show. */
export async function preparePage(): Promise<void> {
  watchBack()
  watchReachability()
  await renewMediaCookie()
  preloadPage(currentPlace())
}
