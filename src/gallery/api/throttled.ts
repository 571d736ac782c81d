/**
 * Runs at once, then at most once in that time: what is asked for meanwhile is done once at its end.
 *
 * @param ms - Milliseconds.
 */
export function throttled(run: () => void, ms: number): () => void {
  let isResting = false
  let isWanted = false
  const runAndRest = () => {
    isWanted = false
    isResting = true
    run()
    setTimeout(() => {
      isResting = false
      if (isWanted) runAndRest()
    }, ms)
  }
  return () => {
    if (isResting) isWanted = true
    else runAndRest()
  }
}
