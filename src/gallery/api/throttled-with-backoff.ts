/**
 * Throttles a function with exponentially growing gaps. The first call runs at once. Calls within a gap run once at its
 * end.
 *
 * @param firstMs - The first gap, in milliseconds. Each following gap is twice as long.
 * @param lastMs - The longest gap. After a pause of this length the gaps start again with `firstMs`.
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
