/**
 * Throttles a function to one run per interval on average. The first call runs at once. Calls that come too soon run
 * once at the end of the interval.
 *
 * @param ms - The interval in milliseconds.
 * @param burst - The number of calls that can run at once after a pause.
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
