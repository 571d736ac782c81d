/**
 * Runs at once, and on average at most once in that time: calls that come too soon are done together at its
 * end.
 *
 * @param ms - Milliseconds.
 * @param burst - How many calls in a row run at once after a rest.
 */
export function throttled(run: () => void, ms: number, burst = 1): () => void {
  let free = burst
  let isWanted = false
  let isRefilling = false
  const runNow = () => {
    free -= 1
    isWanted = false
    run()
    if (!isRefilling) refill()
  }
  const refill = () => {
    isRefilling = true
    setTimeout(() => {
      isRefilling = false
      free += 1
      if (isWanted) runNow()
      else if (free < burst) refill()
    }, ms)
  }
  return () => {
    if (free > 0) runNow()
    else isWanted = true
  }
}
