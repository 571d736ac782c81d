import type { QueueItem } from '#contract/queue/queue.ts'
import { gallery } from '#gallery/api/connection/connection.ts'
import { dismissed } from './generation-progress.ts'
import { changeQueue, refreshQueue } from './queue-cache.ts'
import { withCanceled } from './queue-snapshot.ts'

/** Stops an item, or takes it out of the queue before it runs. */
export async function cancelItem(itemId: number): Promise<void> {
  const item: QueueItem | null = await gallery.queue.cancel(itemId)
  if (item === null || item.status === 'canceled') {
    changeQueue((queue) => withCanceled(queue, new Set([itemId])))
  }
}

/** Puts failed or canceled items into the queue once more; the old ones are no longer shown. */
export async function retryItems(itemIds: readonly number[]): Promise<void> {
  await gallery.queue.retry(itemIds)
  dismissed(itemIds)
  refreshQueue()
}

/** Stops what runs and takes out what waits, what waits first: or it would run meanwhile. */
export async function cancelAll(): Promise<void> {
  await gallery.queue.cancelAllExceptCurrent()
  const current = await gallery.queue.current()
  if (current !== null) await gallery.queue.cancel(current.item_id)
  refreshQueue()
}

/** Forgets what has ended. */
export async function pruneEnded(): Promise<void> {
  await gallery.queue.prune()
  changeQueue((queue) => ({
    ...queue,
    counts: { ...queue.counts, completed: 0, failed: 0, canceled: 0 },
    ended: [],
  }))
  refreshQueue()
}

/** Starts no further item, or goes on. */
export async function setPaused(isPaused: boolean): Promise<void> {
  const { is_started } = isPaused ? await gallery.queue.pause() : await gallery.queue.resume()
  changeQueue((queue) => ({ ...queue, isPaused: !is_started }))
}
