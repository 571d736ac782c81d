import { setImmediate } from 'node:timers/promises'

/** Number of items in a slice times their cost. A slice takes a few milliseconds. */
const SLICE_COST = 131_072

/** Maximum time before other tasks run, in milliseconds. */
const TURN_MS = 50

/**
 * Processes many items slice by slice. Yields to the event loop about every 50 ms, so that a cancel message arrives.
 *
 * @param cost - Cost of an item, in pixels: 1 for a pixel, the width for a row.
 * @throws The reason of `signal` after an abort.
 */
export const inSlices = async (
  count: number,
  cost: number,
  signal: AbortSignal,
  work: (from: number, to: number) => void,
): Promise<void> => {
  const perSlice = Math.max(1, Math.floor(SLICE_COST / cost))
  let turnEnd = performance.now() + TURN_MS
  for (let from = 0; from < count; from += perSlice) {
    signal.throwIfAborted()
    work(from, Math.min(from + perSlice, count))
    if (performance.now() > turnEnd) {
      await setImmediate()
      turnEnd = performance.now() + TURN_MS
    }
  }
  signal.throwIfAborted()
}

/** Like `inSlices`, with a call for each item, such as a row. For pixels, a loop over the slice is faster. */
export const eachInSlices = (
  count: number,
  cost: number,
  signal: AbortSignal,
  work: (index: number) => void,
): Promise<void> =>
  inSlices(count, cost, signal, (from, to) => {
    for (let index = from; index < to; index++) work(index)
  })
