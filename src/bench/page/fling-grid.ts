import type { CDPSession, JSHandle, Page } from '@playwright/test'
import { type Fling, watchFling } from './scroll-probe.ts'

/** Number of consecutive flings. Odd, so that the last one goes down if they turn. */
const FLINGS = 13

/** The way of a finger in one fling, in pixels of the window. */
const [FROM, TO, STEP] = [700, 190, 51]

/**
 * Flings a grid with a finger.
 *
 * @param turns - True alternates down and up, for a grid of a few screens.
 */
export async function flingGrid(page: Page, session: CDPSession, { turns = false } = {}) {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: y === undefined ? [] : [{ x: 195, y }],
    })
  const watch = await page.evaluateHandle(watchFling)
  for (let fling = 0; fling < FLINGS; fling += 1) {
    const isUp = turns && fling % 2 === 1
    for (let moved = 0; moved <= FROM - TO; moved += STEP)
      await touch(moved === 0 ? 'touchStart' : 'touchMove', isUp ? TO + moved : FROM - moved)
    await touch('touchEnd')
  }
  const stoppedAt = await page.evaluate(() => performance.now())
  const movedPx = await page.getByRole('grid').evaluate(({ scrollTop }) => scrollTop)
  const expectedPx = (turns ? 1 : FLINGS) * (FROM - TO)
  if (movedPx < expectedPx / 2) throw new Error(`The flings moved ${movedPx} px only.`)
  const fling = await page.evaluate((end) => end(), watch as JSHandle<() => Fling>)
  return { fling, stoppedAt }
}
