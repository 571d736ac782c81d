import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

const runSignal = new AsyncLocalStorage<AbortSignal>()

/** Calls `work`. An abort of `signal` then stops the loops of this file within it, at any depth. */
export const withSignal = <T>(signal: AbortSignal, work: () => T): T => runSignal.run(signal, work)

/** @throws The reason of the signal that was given to `withSignal`, after an abort. */
export const throwIfAborted = (): void => runSignal.getStore()?.throwIfAborted()

/** Number of items in a slice times their cost. A slice takes a few milliseconds. */
const SLICE_COST = 131_072

/** Maximum time before other tasks run, in milliseconds. */
const TURN_MS = 50

/**
 * Processes many items slice by slice. Yields to the event loop about every 50 ms, so that a cancel message arrives.
 *
 * @param cost - Cost of an item, in pixels: 1 for a pixel, the width for a row.
 * @throws The reason of the signal (`withSignal`) after an abort.
 */
export const inSlices = async (
  count: number,
  cost: number,
  work: (from: number, to: number) => void,
): Promise<void> => {
  const perSlice = Math.max(1, Math.floor(SLICE_COST / cost))
  let turnEnd = performance.now() + TURN_MS
  for (let from = 0; from < count; from += perSlice) {
    throwIfAborted()
    work(from, Math.min(from + perSlice, count))
    if (performance.now() > turnEnd) {
      await setImmediate()
      turnEnd = performance.now() + TURN_MS
    }
  }
  throwIfAborted()
}

/** Like `inSlices`, with a call for each item, such as a row. For pixels, a loop over the slice is faster. */
export const eachInSlices = (
  count: number,
  cost: number,
  work: (index: number) => void,
): Promise<void> =>
  inSlices(count, cost, (from, to) => {
    for (let index = from; index < to; index++) work(index)
  })
