/** Intermediate images to delete, and the queue items that may still create more of them. */
export interface Leftover {
  /** The batch of the items. Another server uses the same item IDs for other batches. */
  readonly batchId: string
  readonly itemIds: readonly number[]
  readonly imageNames: readonly string[]
  /** They are not deleted before this time, in milliseconds since 1970: a preview may still show them. */
  readonly notBefore: number
}

const PREFIX = 'tessera:leftovers:'

/** The intermediate images to delete. */
export class Leftovers {
  /** Fallback if localStorage is unavailable or full. Leftovers are then lost when the page closes. */
  readonly #inMemory = new Map<string, Leftover>()

  /** Saves images to delete, even if the page is closed first. Replaces the previous leftover of the batch. */
  save(leftover: Leftover): void {
    this.#inMemory.set(leftover.batchId, leftover)
    try {
      localStorage.setItem(PREFIX + leftover.batchId, JSON.stringify(leftover))
    } catch {
      // Storage is unavailable.
    }
  }

  /** Removes a leftover whose images are deleted. */
  remove(batchId: string): void {
    this.#inMemory.delete(batchId)
    try {
      localStorage.removeItem(PREFIX + batchId)
    } catch {
      // Storage is unavailable.
    }
  }

  /** Returns the saved leftovers of this page and of earlier ones. */
  all(): readonly Leftover[] {
    const all = new Map(this.#inMemory)
    try {
      const kept = Object.entries(localStorage).filter(([key]) => key.startsWith(PREFIX))
      for (const [, text] of kept) {
        const leftover: Leftover = JSON.parse(text)
        all.set(leftover.batchId, leftover)
      }
    } catch {
      // Storage is unavailable.
    }
    return [...all.values()]
  }
}
