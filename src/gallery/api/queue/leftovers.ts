/** What was only made on the way to a result, and what will have made more of it. */
export interface Leftover {
  /** Of the items: on another server the same ids are of other batches. */
  readonly batchId: string
  readonly itemIds: readonly number[]
  readonly imageNames: readonly string[]
  /** Until then it may still be looked at. Milliseconds since 1970. */
  readonly notBefore: number
}

const PREFIX = 'tessera:leftovers:'

/** For a browser that keeps nothing, or no more: then what the page does not get to is left behind. */
const inMemory = new Map<string, Leftover>()

/** Notes something to be deleted, whether or not the page is left before. In the place of what its batch had noted. */
export function saveLeftover(leftover: Leftover): void {
  inMemory.set(leftover.batchId, leftover)
  try {
    localStorage.setItem(PREFIX + leftover.batchId, JSON.stringify(leftover))
  } catch {
    // See above.
  }
}

/** It is deleted. */
export function removeLeftover(batchId: string): void {
  inMemory.delete(batchId)
  try {
    localStorage.removeItem(PREFIX + batchId)
  } catch {
    // See above.
  }
}

/** What this page and others before it have noted and not dropped. */
export function savedLeftovers(): readonly Leftover[] {
  const all = new Map(inMemory)
  try {
    const kept = Object.entries(localStorage).filter(([key]) => key.startsWith(PREFIX))
    for (const [, text] of kept) {
      const leftover: Leftover = JSON.parse(text)
      all.set(leftover.batchId, leftover)
    }
  } catch {
    // See above.
  }
  return [...all.values()]
}
