import { useQuery } from '@tanstack/react-query'
import type { Batch } from '#client/index.ts'
import { MAX_PENDING_ITEMS } from '#contract/queue/queue.ts'
import { trashImages } from '#gallery/api/outbox/outbox.ts'
import { once } from '#gallery/api/outbox/outbox-steps.ts'
import { saveLeftover } from '#gallery/api/queue/leftovers.ts'
import { imageNamesIn } from '#gallery/api/queue/made-images.ts'
import { queueQuery } from '#gallery/api/queue/queue-queries.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { emitWorkEvent, type WorkAction } from './work-events.ts'

/** The polling interval while the queue is full, in milliseconds. */
const ASK_MS = 5_000

/** Builds the batch for the images from index `from` up to, but not including, `to`. */
type BatchOf = (from: number, to: number) => Batch

/** Thrown if the queue already contains the maximum number of waiting items. */
export class QueueFullError extends Error {
  override name = 'QueueFullError'

  constructor() {
    const most = MAX_PENDING_ITEMS.toLocaleString('en')
    super(`The queue is full (${most} items). Try again when some have finished.`)
  }
}

/** The batches and items that were enqueued for one user action. */
export interface Work {
  readonly action: WorkAction
  readonly batchIds: string[]
  readonly itemIds: number[]
  isStopped: boolean
  /** Resolves when all items are enqueued, or the work was stopped. */
  enqueued: Promise<void>
}

/**
 * Enqueues one item per image, in as many batches as needed. The queue holds 10,000 waiting items.
 *
 * @returns Resolves when the first batch is enqueued. The others follow in the background.
 * @throws {QueueFullError | RefusedError | ConnectionError} Nothing was enqueued.
 */
export async function enqueueAll(action: WorkAction, batchOf: BatchOf): Promise<Work> {
  const work: Work = {
    action,
    batchIds: [],
    itemIds: [],
    isStopped: false,
    enqueued: Promise.resolve(),
  }
  await enqueueMore(work, batchOf)
  if (work.itemIds.length === 0) throw new QueueFullError()
  work.enqueued = enqueueRest(work, batchOf)
  const undo = once(() => {
    forgetUndo()
    void stop(work)
  })
  const forgetUndo = theGallery.undo.push({ undo })
  emitWorkEvent({ kind: 'taken', action, undo })
  return work
}

/** Enqueues the next batch. An almost full queue accepts only the first items of it. */
async function enqueueMore({ action, batchIds, itemIds }: Work, batchOf: BatchOf): Promise<void> {
  const from = itemIds.length
  const to = Math.min(action.count, from + MAX_PENDING_ITEMS)
  const { batch, item_ids } = await theGallery.client.queue.enqueue(batchOf(from, to))
  itemIds.push(...item_ids)
  const batchId = batch.batch_id
  if (batchId === undefined || item_ids.length === 0) return
  batchIds.push(batchId)
  if (action.kind === 'process') {
    saveLeftover({ batchId, itemIds: item_ids, imageNames: [], notBefore: 0 })
  }
}

async function enqueueRest(work: Work, batchOf: BatchOf): Promise<void> {
  const { action, itemIds } = work
  try {
    while (itemIds.length < action.count && !work.isStopped) {
      await untilThereIsRoom()
      if (!work.isStopped) await enqueueMore(work, batchOf)
    }
  } catch (error) {
    const retry = () => {
      work.enqueued = enqueueRest(work, batchOf)
    }
    emitWorkEvent({ kind: 'refused', action, reason: reasonOf(error), retry })
  }
}

async function untilThereIsRoom(): Promise<void> {
  for (;;) {
    const { queue } = await theGallery.client.queue.status()
    if (queue.pending < MAX_PENDING_ITEMS) return
    await new Promise((resolve) => setTimeout(resolve, ASK_MS))
  }
}

/** Cancels the remaining items and moves the created images to the trash. */
async function stop(work: Work): Promise<void> {
  const { action, batchIds, itemIds } = work
  work.isStopped = true
  try {
    await work.enqueued
    await theGallery.client.queue.cancelBatches(batchIds)
    const made = imageNamesIn(await theGallery.client.queue.items(itemIds), false)
    if (made.length > 0) trashImages(made)
    emitWorkEvent({ kind: 'undone', action, imageCount: made.length })
  } catch (error) {
    const retry = () => void stop(work)
    emitWorkEvent({ kind: 'not undone', action, reason: reasonOf(error), retry })
  }
}

/** Returns true if the server has a queue. False while loading. */
export const useHasQueue = (): boolean => (useQuery(queueQuery).data ?? null) !== null
