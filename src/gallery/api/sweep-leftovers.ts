import { isFinal, MAX_ITEM_IDS } from '#contract/queue.ts'
import { gallery } from './connection.ts'
import { dropLeftover, keepLeftover, keptLeftovers, type Leftover } from './kept-leftovers.ts'
import { imageNamesIn } from './made-images.ts'

/** What a canceled item has made is known when its run has ended, some time after its cancel. In milliseconds. */
const SETTLE_MS = 3_000

let timer: ReturnType<typeof setTimeout> | undefined

/** Deletes, after a while, what was only made on the way. Asked again meanwhile it waits anew. */
export function sweepLeftoversSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void sweepLeftovers(), SETTLE_MS)
}

/** Deletes what was only made on the way, as far as the items that made it have ended. */
export async function sweepLeftovers(): Promise<void> {
  try {
    for (const leftover of keptLeftovers()) {
      if (leftover.notBefore <= Date.now()) await sweepOne(leftover)
    }
  } catch {
    // The server is gone, or is closing its doors for a while: they are shown nowhere, and noted for the next time.
  }
}

async function sweepOne(leftover: Leftover): Promise<void> {
  if (leftover.imageNames.length > 0) await gallery.images.delete(leftover.imageNames)
  let itemIds = leftover.itemIds
  while (itemIds.length > 0) {
    const found = await gallery.queue.items(itemIds.slice(0, MAX_ITEM_IDS))
    const items = found.filter(({ batch_id }) => batch_id === leftover.batchId)
    const names = imageNamesIn(items, true)
    if (names.length > 0) await gallery.images.delete(names)
    // Items that were cleared have nothing more to tell.
    const live = items.filter(({ status }) => !isFinal(status)).map(({ item_id }) => item_id)
    itemIds = itemIds.slice(MAX_ITEM_IDS)
    if (live.length > 0) {
      keepLeftover({ ...leftover, imageNames: [], itemIds: [...live, ...itemIds] })
      return
    }
  }
  dropLeftover(leftover.batchId)
}
