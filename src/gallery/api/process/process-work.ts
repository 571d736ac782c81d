import type { Batch } from '#client/index.ts'
import { MAX_PENDING_ITEMS } from '#contract/queue/queue.ts'
import { sleep } from '#gallery/api/clock.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { once } from '#gallery/api/outbox/outbox-steps.ts'
import { imageNamesIn } from '#gallery/api/queue/queue-entry.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'

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
export async function enqueueAll(
  api: GalleryApi,
  action: WorkAction,
  batchOf: BatchOf,
): Promise<Work> {
  const work: Work = {
    action,
    batchIds: [],
    itemIds: [],
    isStopped: false,
    enqueued: Promise.resolve(),
  }
  await enqueueMore(api, work, batchOf)
  if (work.itemIds.length === 0) throw new QueueFullError()
  work.enqueued = enqueueRest(api, work, batchOf)
  const undo = once(() => {
    forgetUndo()
    void stop(api, work)
  })
  const forgetUndo = api.undo.push(undo)
  api.workEvents.emit({ kind: 'taken', action, undo })
  return work
}

/** Enqueues the next batch. An almost full queue accepts only the first items of it. */
async function enqueueMore(
  api: GalleryApi,
  { action, batchIds, itemIds }: Work,
  batchOf: BatchOf,
): Promise<void> {
  const from = itemIds.length
  const to = Math.min(action.count, from + MAX_PENDING_ITEMS)
  const { batch, item_ids } = await api.client.queue.enqueue(batchOf(from, to))
  itemIds.push(...item_ids)
  const batchId = batch.batch_id
  if (batchId === undefined || item_ids.length === 0) return
  batchIds.push(batchId)
  if (action.kind === 'process') {
    api.leftovers.save({ batchId, itemIds: item_ids, imageNames: [], notBefore: 0 })
  }
}

async function enqueueRest(api: GalleryApi, work: Work, batchOf: BatchOf): Promise<void> {
  const { action, itemIds } = work
  try {
    while (itemIds.length < action.count && !work.isStopped) {
      await untilThereIsRoom(api)
      if (!work.isStopped) await enqueueMore(api, work, batchOf)
    }
  } catch (error) {
    const retry = () => {
      work.enqueued = enqueueRest(api, work, batchOf)
    }
    api.workEvents.emit({ kind: 'refused', action, reason: reasonOf(error), retry })
  }
}

async function untilThereIsRoom(api: GalleryApi): Promise<void> {
  for (;;) {
    const { queue } = await api.client.queue.status()
    if (queue.pending < MAX_PENDING_ITEMS) return
    await sleep(api.clock, ASK_MS)
  }
}

/** Cancels the remaining items and moves the created images to the trash. */
async function stop(api: GalleryApi, work: Work): Promise<void> {
  const { action, batchIds, itemIds } = work
  work.isStopped = true
  try {
    await work.enqueued
    await api.client.queue.cancelBatches(batchIds)
    const made = imageNamesIn(await api.client.queue.items(itemIds), false)
    if (made.length > 0) api.outbox.trash(made)
    api.workEvents.emit({ kind: 'undone', action, imageCount: made.length })
  } catch (error) {
    const retry = () => void stop(api, work)
    api.workEvents.emit({ kind: 'not undone', action, reason: reasonOf(error), retry })
  }
}

/** Queued work or a copy, as its toasts describe it. */
export interface WorkAction {
  readonly kind: 'copy' | 'process'
  /** The number of input images. */
  readonly count: number
  /** The number of selected images that no longer exist. Default 0. */
  readonly missing?: number
  /** The target board. */
  readonly boardName: string
}

/** An event of queued work or a copy. All events of one action contain the same `action` object. */
export type WorkEvent = { readonly action: WorkAction } & (
  | { readonly kind: 'taken'; readonly undo: () => void }
  /** The server copies images itself, without the queue; `done` of them are processed. */
  | { readonly kind: 'copying'; readonly done: number; readonly cancel: () => void }
  | { readonly kind: 'copied'; readonly copiedCount: number; readonly undo: () => void }
  | {
      readonly kind: 'refused' | 'not undone'
      readonly reason: string
      readonly retry: () => void
    }
  | { readonly kind: 'undone'; readonly imageCount: number }
)
