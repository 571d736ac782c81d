import type { Batch, TesseraClient } from '#client/index.ts'
import { MAX_PENDING_ITEMS } from '#contract/queue/queue.ts'
import { type Clock, sleep } from '#gallery/api/clock.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import type { Runner } from '#gallery/api/journal/journal-types.ts'
import type { WorkRecipe } from '#gallery/api/journal/recipe.ts'
import type { Listeners } from '#gallery/api/listeners.ts'
import { notAsLeft } from '#gallery/api/outbox/not-as-left.ts'
import type { Outbox } from '#gallery/api/outbox/outbox.ts'
import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'
import type { Value } from '#gallery/api/outbox/outbox-state.ts'
import type { Refusals } from '#gallery/api/outbox/outbox-work.ts'
import { UNKNOWN } from '#gallery/api/outbox/skip-reasons.ts'
import type { Leftovers } from '#gallery/api/queue/leftovers.ts'
import { imageNamesIn } from '#gallery/api/queue/queue-entry.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import type { WorkAction, WorkEvent } from './work-events.ts'

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

/** The parts of the data layer that queued work needs. */
export interface WorkApi {
  readonly client: Pick<TesseraClient, 'images' | 'queue'>
  readonly clock: Clock
  readonly journal: Pick<Journal, 'add' | 'confirm' | 'forget' | 'save' | 'undo'>
  readonly leftovers: Pick<Leftovers, 'save'>
  readonly outbox: Pick<Outbox, 'discard' | 'mayHaveTrash' | 'restoreDiscarded' | 'trash'>
  readonly workEvents: Pick<Listeners<WorkEvent>, 'emit'>
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
  api: WorkApi,
  action: WorkAction,
  thumbnails: readonly string[],
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
  const entry = api.journal.add(
    { action, thumbnails, recipe: recipeOf(work) },
    async ({ isQuiet }) => {
      work.isStopped = true
      await work.enqueued
      return runnerOfWork(api, { id: entry, action }, recipeOf(work)).undo({ isQuiet })
    },
  )
  api.journal.confirm(entry)
  void work.enqueued.then(() => api.journal.save(entry, recipeOf(work)))
  api.workEvents.emit({ kind: 'taken', action, undo: () => void api.journal.undo(entry) })
  return work
}

const recipeOf = ({ batchIds, itemIds }: Work): WorkRecipe => ({
  kind: 'work',
  batchIds: [...batchIds],
  itemIds: [...itemIds],
  made: [],
})

/** Enqueues the next batch. An almost full queue accepts only the first items of it. */
async function enqueueMore(
  api: WorkApi,
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

async function enqueueRest(api: WorkApi, work: Work, batchOf: BatchOf): Promise<void> {
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

async function untilThereIsRoom(api: WorkApi): Promise<void> {
  for (;;) {
    const { queue } = await api.client.queue.status()
    if (queue.pending < MAX_PENDING_ITEMS) return
    await sleep(api.clock, ASK_MS)
  }
}

/**
 * Returns the Undo and the Redo of queued work, of a copy, of uploads or of an import. Undo cancels the remaining items
 * and moves the created images to the trash, from which Redo restores them.
 */
export function runnerOfWork(
  api: WorkApi,
  { id, action }: { id: string; action: WorkAction },
  recipe: WorkRecipe,
): Runner {
  return {
    undo: async ({ isQuiet }) => {
      const all = recipe.itemIds.length > 0 ? await stop(api, recipe) : recipe.made
      if (all === null) return { done: [], failed: [{ name: '', reason: UNKNOWN }] }
      const skipped = await changedSince(api, recipe)
      const made = all.filter((name) => !skipped.has(name))
      if (made.length === 0 && skipped.size > 0) return skippedAs(skipped)
      if (made.length > 0 && !api.outbox.mayHaveTrash()) {
        // The deletion is a new action, which can be undone until it is sent.
        api.journal.forget(id)
        await api.outbox.trash(made).outcome
        return NOTHING
      }
      if (!isQuiet) api.workEvents.emit({ kind: 'undone', action, imageCount: made.length })
      if (made.length === 0) {
        api.journal.forget(id)
        return NOTHING
      }
      api.journal.save(id, { ...recipe, made })
      const { done, failed } = await api.outbox.discard(made)
      return { done, failed: [...failed, ...skippedAs(skipped).failed] }
    },
    redo: () => api.outbox.restoreDiscarded(recipe.made),
  }
}

/** Undo moves the images to no board. */
const NO_BOARD = ''

const NOTHING: Outcome = { done: [], failed: [] }

/** Returns the images that are gone or on another board than the action left them on, with the reasons. */
async function changedSince({ client }: WorkApi, { made, boards }: WorkRecipe): Promise<Refusals> {
  if (boards === undefined) return new Map()
  const expected = new Map<string, Value>()
  for (const [boardId, names] of boards) for (const name of names) expected.set(name, boardId)
  return notAsLeft(client, made, { expected, wanted: NO_BOARD })
}

const skippedAs = (skipped: Refusals): Outcome => ({
  done: [],
  failed: [...skipped].map(([name, reason]) => ({ name, reason })),
})

/** Cancels the remaining items. Returns the created images; null if the queue no longer lists the items. */
async function stop(
  { client }: WorkApi,
  { batchIds, itemIds, made }: WorkRecipe,
): Promise<readonly string[] | null> {
  if (made.length > 0) return made
  await client.queue.cancelBatches(batchIds)
  const items = await client.queue.items(itemIds)
  return items.length === 0 ? null : imageNamesIn(items, false)
}
