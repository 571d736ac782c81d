/**
 * Runs at once, and while it is called on and on ever further apart: what is asked for meanwhile is done
 * once at the end of the gap. After a rest it runs at once again.
 *
 * @param firstMs - The first gap, in milliseconds; each next one is twice as long.
 * @param lastMs - The longest, and the rest after which it begins anew.
 */
export function throttledWithBackoff(run: () => void, firstMs: number, lastMs: number): () => void {
  let gapMs = firstMs
  let ranAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const runNow = () => {
    timer = undefined
    ranAt = performance.now()
    run()
  }
  return () => {
    if (timer !== undefined) return
    const restedMs = performance.now() - ranAt
    if (restedMs >= lastMs) gapMs = firstMs
    if (restedMs >= gapMs) {
      runNow()
      return
    }
    timer = setTimeout(runNow, gapMs - restedMs)
    gapMs = Math.min(lastMs, gapMs * 2)
  }
}
