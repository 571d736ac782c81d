import { expect, test } from 'vitest'
import { noCounts, queueEntry } from '#integration/queue-entries.ts'
import {
  batchesOf,
  countsIn,
  newestImagesOf,
  type QueueBatch,
  retryableIn,
  timeLeftOf,
  withoutRetried,
} from './queue-batches.ts'
import type { QueueEntry } from './queue-entry.ts'
import { snapshotOf } from './queue-snapshot.ts'

const batchesIn = (entries: QueueEntry[], total = entries.length) =>
  batchesOf(snapshotOf({ ...noCounts, total }, false, entries))

const done = (itemId: number, change: Partial<QueueEntry> = {}): QueueEntry =>
  queueEntry(itemId, { status: 'completed', startedAt: 0, endedAt: itemId, ...change })

const idsOf = (batches: readonly QueueBatch[]) =>
  batches.map(({ batchId, entries }) => [batchId, ...entries.map(({ itemId }) => itemId)])

const batch = (...entries: [QueueEntry, ...QueueEntry[]]): QueueBatch => ({
  batchId: 'batch',
  entries,
  retried: [],
  isPartial: false,
})

test('groups items by batch, and sorts the batches by what they do', () => {
  const { running, waiting, ended } = batchesIn([
    queueEntry(5, { batchId: 'next' }),
    queueEntry(4, { batchId: 'now' }),
    queueEntry(3, { batchId: 'now', status: 'in_progress' }),
    done(2, { batchId: 'now' }),
    done(1, { batchId: 'before' }),
  ])

  expect(idsOf(running)).toEqual([['now', 3, 4, 2]])
  expect(idsOf(waiting)).toEqual([['next', 5]])
  expect(idsOf(ended)).toEqual([['before', 1]])
})

test('a batch keeps running between two of its items, but not while the queue is paused', () => {
  const entries = [queueEntry(2), done(1)]
  const statusesOf = (isPaused: boolean) => {
    const batches = batchesOf(snapshotOf({ ...noCounts, total: 2 }, isPaused, entries))
    return [batches.running.length, batches.waiting.length]
  }

  expect(statusesOf(false)).toEqual([1, 0])
  expect(statusesOf(true)).toEqual([0, 1])
})

test('a retry replaces the items of its chain', () => {
  const failed = { status: 'failed' } as const
  const { waiting } = batchesIn([
    queueEntry(1, failed),
    queueEntry(2, failed),
    queueEntry(3, { ...failed, retriedFrom: 1 }),
    queueEntry(4, { retriedFrom: 1 }),
  ])

  expect(idsOf(waiting)).toEqual([['batch', 4, 2]])
  const [first] = waiting
  const counts = { ...noCounts, pending: 1, failed: 3, total: 4 }
  expect(first && withoutRetried(counts, first)).toEqual({
    ...noCounts,
    pending: 1,
    failed: 1,
    total: 2,
  })
})

test('only batches that may have more items than the cache are partial', () => {
  const entries = [
    done(4, { batchId: 'single' }),
    done(3, { batchId: 'pair' }),
    done(2, { batchId: 'pair' }),
    done(1, { batchId: 'last' }),
  ]

  const partialOf = (total: number) =>
    batchesIn(entries, total).ended.flatMap((one) => (one.isPartial ? [one.batchId] : []))

  expect(partialOf(4)).toEqual([])
  expect(partialOf(5)).toEqual(['pair', 'last'])
})

test('the newest images come first, up to a maximum', () => {
  const entries = batch(
    queueEntry(3, { status: 'in_progress' }),
    done(2, { imageNames: ['c', 'd'] }),
    done(1, { imageNames: ['a', 'b'] }),
  )

  expect(newestImagesOf(entries, 3)).toEqual(['d', 'c', 'b'])
})

test.each([
  { name: 'unknown before an item is done', entries: [], ms: null },
  { name: 'unknown without times', entries: [done(1, { startedAt: null })], ms: null },
  {
    name: 'the mean of the finished items for each unfinished one',
    entries: [done(1, { endedAt: 1000 }), done(2, { startedAt: 1000, endedAt: 4000 })],
    ms: 6000,
  },
])('the time left is $name', ({ entries, ms }) => {
  const running = queueEntry(9, { status: 'in_progress' })
  const all = batch(running, queueEntry(10), queueEntry(11), ...entries)

  expect(timeLeftOf(all, countsIn(all.entries))).toBe(ms)
})

test.each([
  { statuses: ['failed', 'canceled', 'completed'] as const, ids: [1] },
  { statuses: ['completed', 'canceled', 'canceled'] as const, ids: [2, 3] },
  { statuses: ['completed', 'pending', 'completed'] as const, ids: [] },
])('of $statuses, $ids can be retried', ({ statuses, ids }) => {
  expect(retryableIn(statuses.map((status, at) => queueEntry(at + 1, { status })))).toEqual(ids)
})

test('an item is not retried twice', () => {
  const failed = { status: 'failed' } as const
  const retried = queueEntry(2, { retriedFrom: 1 })

  expect(retryableIn([queueEntry(1, failed), retried])).toEqual([])
  expect(retryableIn([queueEntry(1, failed), { ...retried, ...failed }])).toEqual([2])
})
