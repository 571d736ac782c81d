import type { QueueItem } from '#contract/queue/queue.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { dismissed } from './generation-progress.ts'
import { changeQueue, refreshQueue } from './queue-cache.ts'
import { withCanceled } from './queue-snapshot.ts'

/** Cancels a running or waiting item. */
export async function cancelItem(itemId: number): Promise<void> {
  const item: QueueItem | null = await theGallery.client.queue.cancel(itemId)
  if (item === null || item.status === 'canceled') {
    changeQueue((queue) => withCanceled(queue, new Set([itemId])))
  }
}

/** Enqueues failed or canceled items again, and hides the old ones. */
export async function retryItems(itemIds: readonly number[]): Promise<void> {
  await theGallery.client.queue.retry(itemIds)
  dismissed(itemIds)
  refreshQueue()
}

/** Cancels all items. Waiting ones first, so that none of them starts in between. */
export async function cancelAll(): Promise<void> {
  await theGallery.client.queue.cancelAllExceptCurrent()
  const current = await theGallery.client.queue.current()
  if (current !== null) await theGallery.client.queue.cancel(current.item_id)
  refreshQueue()
}

/** Removes finished items from the queue. */
export async function pruneEnded(): Promise<void> {
  await theGallery.client.queue.prune()
  changeQueue((queue) => ({
    ...queue,
    counts: { ...queue.counts, completed: 0, failed: 0, canceled: 0 },
    ended: [],
  }))
  refreshQueue()
}

/** Pauses or resumes the queue. */
export async function setPaused(isPaused: boolean): Promise<void> {
  const { is_started } = isPaused
    ? await theGallery.client.queue.pause()
    : await theGallery.client.queue.resume()
  changeQueue((queue) => ({ ...queue, isPaused: !is_started }))
}
