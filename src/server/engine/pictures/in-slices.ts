import { setImmediate } from 'node:timers/promises'

/** Items of a slice times their cost: a few milliseconds of work. */
const SLICE_COST = 131_072

/** How long work may go on before others have a turn, in milliseconds. */
const TURN_MS = 50

/**
 * Works through many items slice by slice. Gives way about every 50 ms, so that a cancel is heard.
 *
 * @param cost - What one item costs, in pixels: 1 where items are pixels, the width where they are rows.
 * @throws The signal's reason, once it is aborted.
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
