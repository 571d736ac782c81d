import { expect, test } from 'vitest'
import type { EventData } from '#contract/events.ts'
import type { GraphFacts, QueueEntry } from './queue-entry.ts'
import {
  activeCountOf,
  KEPT_LIVE,
  mayHaveMade,
  type QueueSnapshot,
  snapshotOf,
  withCanceled,
  withEntries,
  withStatus,
} from './queue-snapshot.ts'

const none = {
  pending: 0,
  in_progress: 0,
  waiting: 0,
  completed: 0,
  failed: 0,
  canceled: 0,
  total: 0,
}

const facts: GraphFacts = {
  priority: 0,
  boardId: 'none',
  makesImages: true,
  nodeCount: 1,
  nodeTypes: ['save_image'],
  sizePx: null,
  prompt: null,
}

const entry = (itemId: number, change: Partial<QueueEntry> = {}): QueueEntry => ({
  itemId,
  batchId: 'batch',
  status: 'pending',
  origin: null,
  destination: null,
  createdAt: itemId,
  startedAt: null,
  endedAt: null,
  fault: null,
  graph: facts,
  ...change,
})

const queueOf = (...entries: QueueEntry[]): QueueSnapshot => {
  const counts = { ...none, total: entries.length }
  for (const { status } of entries) counts[status] += 1
  return snapshotOf(counts, false, entries)
}

const news = (
  item_id: number,
  status: QueueEntry['status'],
  counts: Partial<typeof none> = {},
): EventData<'queue_item_status_changed'> => ({
  timestamp: 0,
  queue_id: 'default',
  user_id: 'system',
  item_id,
  batch_id: 'batch',
  origin: null,
  destination: null,
  session_id: 'session',
  status,
  status_sequence: 1,
  error_type: null,
  error_message: status === 'failed' ? 'No image' : null,
  error_traceback: null,
  created_at: '2026-11-21 07:00:00.000',
  updated_at: '2026-11-21 07:00:00.000',
  started_at: null,
  completed_at: null,
  batch_status: {
    queue_id: 'default',
    batch_id: 'batch',
    origin: null,
    destination: null,
    ...none,
  },
  queue_status: {
    queue_id: 'default',
    item_id: null,
    batch_id: null,
    session_id: null,
    user_pending: null,
    user_in_progress: null,
    ...none,
    ...counts,
  },
})

const idsOf = (entries: readonly QueueEntry[]) => entries.map(({ itemId }) => itemId)

test('sorts by running, then priority, then age', () => {
  const first = entry(9, { graph: { ...facts, priority: 1 } })

  const queue = queueOf(entry(3), first, entry(2), entry(5, { status: 'in_progress' }))

  expect(idsOf(queue.live)).toEqual([5, 9, 2, 3])
})

test('caches the front of a long queue and counts all of it', () => {
  const many = Array.from({ length: 300 }, (_, at) => entry(at + 1))

  const queue = queueOf(...many)

  expect(queue.live).toHaveLength(KEPT_LIVE)
  expect(queue.live[0]?.itemId).toBe(1)
  expect(activeCountOf(queue)).toBe(300)
})

test('moves a failed item to the finished ones with its reason', () => {
  const queue = withStatus(
    queueOf(entry(1), entry(2)),
    news(1, 'failed', { pending: 1, failed: 1 }),
  )

  expect(idsOf(queue.live)).toEqual([2])
  expect(queue.ended[0]).toMatchObject({ itemId: 1, status: 'failed', fault: 'No image' })
  expect(queue.counts).toMatchObject({ pending: 1, failed: 1 })
})

test('adds an unknown item with its first status event', () => {
  const queue = withStatus(queueOf(), news(7, 'in_progress', { in_progress: 1 }))

  expect(queue.live).toMatchObject([{ itemId: 7, status: 'in_progress', graph: null }])
})

test('ignores late status events of finished items', () => {
  const ended = queueOf(entry(1, { status: 'completed', endedAt: 5 }))

  expect(withStatus(ended, news(1, 'in_progress')).live).toEqual([])
})

test('ignores a repeated status event', () => {
  const once = withStatus(queueOf(entry(1)), news(1, 'completed', { completed: 1 }))

  expect(withStatus(once, news(1, 'completed', { completed: 1 }))).toEqual(once)
})

test('updates the counts for items that are canceled together', () => {
  const queue = queueOf(entry(1, { status: 'in_progress' }), entry(2), entry(3))

  const after = withCanceled(queue, new Set([1, 2, 99]))

  expect(idsOf(after.live)).toEqual([3])
  expect(after.counts).toMatchObject({ pending: 1, in_progress: 0, canceled: 2 })
  expect(withCanceled(after, new Set([1, 2, 99]))).toEqual(after)
})

test('adds loaded details to an item', () => {
  const short = queueOf(entry(1, { status: 'canceled', graph: null }))

  expect(withEntries(short, [entry(1)]).ended[0]).toMatchObject({
    status: 'canceled',
    graph: facts,
  })
})

const SINCE = Date.UTC(2026, 10, 22)
const made = (itemId: number, afterMs: number) =>
  entry(itemId, { status: 'completed', endedAt: SINCE + afterMs })

test.each([
  ['ran then', queueOf(entry(1)), queueOf(made(1, 9_000)), true],
  ['came and ended in between', queueOf(), queueOf(made(1, 9_000)), true],
  ['ended as the page began', queueOf(made(1, -100)), queueOf(made(1, -100)), true],
  ['ended long before', queueOf(made(1, -60_000)), queueOf(made(1, -60_000)), false],
])('whether images may have come in between: what %s', (_, before, now, mayHave) => {
  expect(mayHaveMade(before, now, SINCE)).toBe(mayHave)
})
