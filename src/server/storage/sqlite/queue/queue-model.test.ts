import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { QueueItemStatus } from '#contract/queue/queue.ts'
import type { AffectedItems } from '#server/core/queue/queue-ports.ts'
import type { Records } from '#server/core/record-ports.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { ended, LEASE_MS, newBatch, times } from '#testing/ports/queue-contract.ts'
import { roundsOf } from '#testing/rounds.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

let dataFolder: string
let records: Records
let database: Sqlite.Database

beforeAll(async () => {
  dataFolder = await createTemporaryFolder()
  records = await openRecords({ dataFolder })
  database = new Sqlite(join(dataFolder, 'tessera.db'), { readonly: true })
})

afterAll(async () => {
  database.close()
  await records.close()
  await removeFolder(dataFolder)
})

const QUEUES = ['default', 'other'] as const
const BATCHES = ['b1', 'b2', 'b3'] as const
const DESTINATIONS = ['canvas', 'gallery'] as const

interface ModelItem {
  id: number
  queue: string
  batch: string
  destination: string | null
  priority: number
  status: QueueItemStatus
  sequence: number
}

const isLive = ({ status }: ModelItem) => status === 'pending' || status === 'in_progress'

/** The rules of the queue, implemented in the simplest way. */
class QueueModel {
  items: ModelItem[] = []

  nextOf(items: readonly ModelItem[]): ModelItem | undefined {
    return items
      .filter(({ status }) => status === 'pending')
      .toSorted((a, b) => b.priority - a.priority || a.id - b.id)[0]
  }

  set(items: readonly ModelItem[], status: QueueItemStatus) {
    for (const item of items) Object.assign(item, { status, sequence: item.sequence + 1 })
  }

  those(queue: string, which: AffectedItems): ModelItem[] {
    const ofQueue = this.items.filter((item) => item.queue === queue)
    if ('itemId' in which) return ofQueue.filter(({ id }) => id === which.itemId)
    if ('batchIds' in which) return ofQueue.filter(({ batch }) => which.batchIds.includes(batch))
    if ('destination' in which) {
      return ofQueue.filter(({ destination }) => destination === which.destination)
    }
    if (which.those === 'waiting') return ofQueue.filter(({ status }) => status === 'pending')
    return which.those === 'all' ? ofQueue : ofQueue.filter((item) => !isLive(item))
  }
}

/** Sessions differ, because a repeated call of `end` returns the same change. */
let sessions = 0

type Step = (model: QueueModel) => Promise<unknown>

const anyQueue = fc.constantFrom(...QUEUES)
const which = fc.nat({ max: 1000 })
const anyStatus = fc.constantFrom('completed', 'failed', 'canceled')

const itemAt = (model: QueueModel, at: number): number =>
  model.items[at % Math.max(1, model.items.length)]?.id ?? 1

const anyAffected: fc.Arbitrary<(model: QueueModel) => AffectedItems> = fc.oneof(
  which.map((at) => (model: QueueModel) => ({ itemId: itemAt(model, at) })),
  fc.subarray([...BATCHES]).map((batchIds) => () => ({ batchIds })),
  fc.constantFrom(...DESTINATIONS).map((destination) => () => ({ destination })),
  fc
    .constantFrom('all' as const, 'waiting' as const, 'ended' as const)
    .map((those) => () => ({ those })),
)

const enqueue = fc
  .record({
    queueId: anyQueue,
    batchId: fc.constantFrom(...BATCHES),
    destination: fc.constantFrom(null, ...DESTINATIONS),
    count: fc.nat({ max: 4 }),
    prepend: fc.boolean(),
  })
  .map(
    ({ count, ...own }): Step =>
      async (model) => {
        const waiting = model.items.filter(
          (item) => item.queue === own.queueId && item.status === 'pending',
        )
        const highest = Math.max(0, ...waiting.map(({ priority }) => priority))
        const batch = newBatch({ ...own, fieldValues: times(count), maxPending: 8 })
        const { itemIds, priority } = await records.queue.add(batch)

        expect(itemIds).toHaveLength(Math.max(0, Math.min(count, 8 - waiting.length)))
        expect(priority).toBe(own.prepend ? highest + 1 : 0)
        for (const id of itemIds.toReversed()) {
          model.items.push({
            id,
            queue: own.queueId,
            batch: own.batchId,
            destination: own.destination,
            priority,
            status: 'pending',
            sequence: 0,
          })
        }
      },
  )

const start = fc.constant<Step>(async (model) => {
  const next = model.nextOf(model.items)
  const started = await records.queue.startNext('cpu', LEASE_MS)
  expect(started?.item.item_id).toBe(next?.id)
  if (next) model.set([next], 'in_progress')
})

const end = fc.tuple(which, anyStatus).map(
  ([at, status]): Step =>
    async (model) => {
      const id = itemAt(model, at)
      const item = model.items.find((one) => one.id === id && one.status === 'in_progress')
      const change = await records.queue.end(id, { ...ended(status), session: `${++sessions}` })
      expect(change?.item.status).toBe(item && status)
      if (item) model.set([item], status)
    },
)

const cancel = fc.tuple(anyQueue, anyAffected).map(
  ([queue, affected]): Step =>
    async (model) => {
      const live = model.those(queue, affected(model)).filter(isLive)
      const { changes, waiting } = await records.queue.cancel(queue, affected(model))
      expect(changes.length + waiting.length).toBe(live.length)
      model.set(live, 'canceled')
    },
)

const remove = fc.tuple(anyQueue, anyAffected).map(
  ([queue, affected]): Step =>
    async (model) => {
      const gone = model.those(queue, affected(model))
      expect((await records.queue.remove(queue, affected(model))).deleted).toBe(gone.length)
      model.items = model.items.filter((item) => !gone.includes(item))
    },
)

const retry = fc.tuple(anyQueue, fc.array(which, { maxLength: 3 })).map(
  ([queue, places]): Step =>
    async (model) => {
      const ids = places.map((at) => itemAt(model, at))
      const old = model.items.filter(
        (item) =>
          ids.includes(item.id) &&
          item.queue === queue &&
          (item.status === 'failed' || item.status === 'canceled'),
      )
      const retried = await records.queue.retry(queue, ids, 1000)
      expect(retried.toSorted((a, b) => a - b)).toEqual(old.map(({ id }) => id))
      // Ids grow, so the new items have the largest.
      const all = (await records.queue.itemIds(queue, 'ASC')).toSorted((a, b) => a - b)
      const added = retried.length > 0 ? all.slice(-retried.length) : []
      for (const [at, id] of added.entries()) {
        const from = model.items.find((item) => item.id === retried[at])
        if (from) model.items.push({ ...from, id, status: 'pending', sequence: 0 })
      }
    },
)

const recover = fc.constant<Step>(async (model) => {
  const running = model.items.filter(({ status }) => status === 'in_progress')
  expect(await records.queue.recover()).toHaveLength(running.length)
  model.set(running, 'canceled')
})

const anyStep = fc.oneof(
  { weight: 5, arbitrary: enqueue },
  { weight: 4, arbitrary: start },
  { weight: 4, arbitrary: end },
  { weight: 3, arbitrary: cancel },
  { weight: 2, arbitrary: remove },
  { weight: 3, arbitrary: retry },
  { weight: 1, arbitrary: recover },
)

/** Few long runs find more than many short ones: a retry needs an item that was added and has ended. */
const STEPS = { minLength: 20, maxLength: 80, size: 'max' } as const

test('keeps counts and states correct after any sequence of operations', async () => {
  const run = fc.asyncProperty(fc.array(anyStep, STEPS), async (steps) => {
    for (const queue of QUEUES) await records.queue.remove(queue, { those: 'all' })
    const model = new QueueModel()
    for (const step of steps) await step(model)
    await expectToBe(model)
  })

  await fc.assert(run, { numRuns: roundsOf({ usual: 12, all: 40 }) })
}, 120_000)

const countsOf = (items: readonly ModelItem[]) => {
  const counts = { pending: 0, in_progress: 0, waiting: 0, completed: 0, failed: 0, canceled: 0 }
  for (const { status } of items) counts[status] += 1
  return { ...counts, total: items.length }
}

async function expectToBe(model: QueueModel) {
  for (const queue of QUEUES) {
    const ofQueue = model.items.filter((item) => item.queue === queue)
    const inOrder = ofQueue.toSorted((a, b) => b.priority - a.priority || a.id - b.id)
    const { items } = await records.queue.items(queue, {
      destination: null,
      after: null,
      limit: 1000,
    })
    expect(
      items.map((item) => [item.item_id, item.batch_id, item.status, item.status_sequence]),
    ).toEqual(inOrder.map(({ id, batch, status, sequence }) => [id, batch, status, sequence]))
    const ended = items.filter(({ completed_at }) => completed_at !== null)
    expect(ended).toHaveLength(ofQueue.filter((item) => !isLive(item)).length)
    const next = await records.queue.items(queue, { only: 'next' })
    expect(next.items[0]?.item_id).toBe(model.nextOf(ofQueue)?.id)

    expect(await records.queue.status(queue)).toMatchObject(countsOf(ofQueue))
    for (const batch of BATCHES) {
      const counts = countsOf(ofQueue.filter((item) => item.batch === batch))
      expect(await records.queue.batchStatus(queue, batch)).toMatchObject(counts)
    }
    for (const destination of DESTINATIONS) {
      const counts = countsOf(ofQueue.filter((item) => item.destination === destination))
      expect(await records.queue.destinationCounts(queue, destination)).toMatchObject(counts)
    }
  }
  const orphans = database
    .prepare('SELECT count(*) FROM queue_batches WHERE id NOT IN (SELECT batch FROM queue_items)')
    .pluck()
    .get()
  const empty = database.prepare('SELECT count(*) FROM queue_counts WHERE n < 1').pluck().get()
  expect({ orphans, empty }).toEqual({ orphans: 0, empty: 0 })
}
