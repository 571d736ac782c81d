import type { TesseraClient } from '#client/index.ts'
import { isFinal, MAX_ITEM_IDS } from '#contract/queue/queue.ts'
import { store } from '#gallery/api/browser-storage.ts'
import { type Clock, Timer } from '#gallery/api/clock.ts'
import { imageNamesIn } from './queue-entry.ts'

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

/** The delay before images are deleted, in milliseconds. A canceled item ends some time after its cancel. */
const SWEEP_DELAY_MS = 3_000

interface LeftoversApi {
  readonly client: Pick<TesseraClient, 'images' | 'queue'>
  readonly clock: Clock
}

export class Leftovers {
  readonly #api: LeftoversApi
  readonly #timer: Timer
  /** Fallback if localStorage is unavailable or full. Leftovers are then lost when the page closes. */
  readonly #inMemory = new Map<string, Leftover>()

  constructor(api: LeftoversApi) {
    this.#api = api
    this.#timer = new Timer(api.clock)
  }

  /** Saves images to delete, even if the page is closed first. Replaces the previous leftover of the batch. */
  save(leftover: Leftover): void {
    this.#inMemory.set(leftover.batchId, leftover)
    store(PREFIX + leftover.batchId, JSON.stringify(leftover))
  }

  remove(batchId: string): void {
    this.#inMemory.delete(batchId)
    store(PREFIX + batchId, null)
  }

  /** Deletes intermediate images after a delay. A later call restarts the delay. */
  sweepSoon(): void {
    this.#timer.restart(SWEEP_DELAY_MS, () => void this.#sweep())
  }

  /** Deletes the intermediate images of finished items, of this page and of earlier ones. */
  async #sweep(): Promise<void> {
    try {
      for (const leftover of this.#all()) {
        if (leftover.notBefore <= this.#api.clock.now()) await this.#sweepOne(leftover)
      }
    } catch {
      // The server is unreachable or busy. No view shows these images, and the next sweep deletes them.
    }
  }

  #all(): readonly Leftover[] {
    const all = new Map(this.#inMemory)
    try {
      for (const [key, text] of Object.entries(localStorage)) {
        if (key.startsWith(PREFIX)) all.set(key.slice(PREFIX.length), JSON.parse(text))
      }
    } catch {
      // Storage is unavailable.
    }
    return [...all.values()]
  }

  async #sweepOne(leftover: Leftover): Promise<void> {
    const { images, queue } = this.#api.client
    if (leftover.imageNames.length > 0) await images.delete(leftover.imageNames)
    let itemIds = leftover.itemIds
    while (itemIds.length > 0) {
      const found = await queue.items(itemIds.slice(0, MAX_ITEM_IDS))
      const items = found.filter(({ batch_id }) => batch_id === leftover.batchId)
      const names = imageNamesIn(items, true)
      if (names.length > 0) await images.delete(names)
      // Items that were removed from the queue create no more images.
      const live = items.filter(({ status }) => !isFinal(status)).map(({ item_id }) => item_id)
      itemIds = itemIds.slice(MAX_ITEM_IDS)
      if (live.length > 0) {
        this.save({ ...leftover, imageNames: [], itemIds: [...live, ...itemIds] })
        return
      }
    }
    this.remove(leftover.batchId)
  }
}
