import { expect, test } from 'vitest'
import type { EventData } from '#contract/events.ts'
import { graphFacts, noCounts, queueEntry } from '#integration/queue-entries.ts'
import type { QueueEntry } from './queue-entry.ts'
import {
  activeCountOf,
  MAX_LIVE,
  mayHaveMade,
  type QueueSnapshot,
  snapshotOf,
  withCanceled,
  withEntries,
  withImages,
  withStatus,
} from './queue-snapshot.ts'

const queueOf = (...entries: QueueEntry[]): QueueSnapshot => {
  const counts = { ...noCounts, total: entries.length }
  for (const { status } of entries) counts[status] += 1
  return snapshotOf(counts, false, entries)
}

const news = (
  item_id: number,
  status: QueueEntry['status'],
  counts: Partial<typeof noCounts> = {},
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
    ...noCounts,
  },
  queue_status: {
    queue_id: 'default',
    item_id: null,
    batch_id: null,
    session_id: null,
    user_pending: null,
    user_in_progress: null,
    ...noCounts,
    ...counts,
  },
})

const idsOf = (entries: readonly QueueEntry[]) => entries.map(({ itemId }) => itemId)

test('sorts by running, then priority, then age', () => {
  const first = queueEntry(9, { graph: { ...graphFacts, priority: 1 } })

  const queue = queueOf(
    queueEntry(3),
    first,
    queueEntry(2),
    queueEntry(5, { status: 'in_progress' }),
  )

  expect(idsOf(queue.live)).toEqual([5, 9, 2, 3])
})

test('caches the front of a long queue and counts all of it', () => {
  const many = Array.from({ length: 300 }, (_, at) => queueEntry(at + 1))

  const queue = queueOf(...many)

  expect(queue.live).toHaveLength(MAX_LIVE)
  expect(queue.live[0]?.itemId).toBe(1)
  expect(activeCountOf(queue)).toBe(300)
})

test('moves a failed item to the finished ones with its reason', () => {
  const queue = withStatus(
    queueOf(queueEntry(1), queueEntry(2)),
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
  const ended = queueOf(queueEntry(1, { status: 'completed', endedAt: 5 }))

  expect(withStatus(ended, news(1, 'in_progress')).live).toEqual([])
})

test('ignores a repeated status event', () => {
  const once = withStatus(queueOf(queueEntry(1)), news(1, 'completed', { completed: 1 }))

  expect(withStatus(once, news(1, 'completed', { completed: 1 }))).toEqual(once)
})

test('updates the counts for items that are canceled together', () => {
  const queue = queueOf(queueEntry(1, { status: 'in_progress' }), queueEntry(2), queueEntry(3))

  const after = withCanceled(queue, new Set([1, 2, 99]))

  expect(idsOf(after.live)).toEqual([3])
  expect(after.counts).toMatchObject({ pending: 1, in_progress: 0, canceled: 2 })
  expect(withCanceled(after, new Set([1, 2, 99]))).toEqual(after)
})

test('adds loaded details to an item', () => {
  const short = queueOf(queueEntry(1, { status: 'canceled', graph: null }))

  expect(withEntries(short, [queueEntry(1)]).ended[0]).toMatchObject({
    status: 'canceled',
    graph: graphFacts,
  })
})

test('adds new images to an item once, and keeps them when it ends', () => {
  const queue = withImages(queueOf(queueEntry(1, { status: 'in_progress' })), 1, ['a.png'])

  const after = withStatus(withImages(queue, 1, ['a.png', 'b.png']), news(1, 'completed'))

  expect(after.ended[0]).toMatchObject({ status: 'completed', imageNames: ['a.png', 'b.png'] })
})

const SINCE = Date.UTC(2026, 10, 22)
const made = (itemId: number, afterMs: number) =>
  queueEntry(itemId, { status: 'completed', endedAt: SINCE + afterMs })

test.each([
  ['was active before', queueOf(queueEntry(1)), queueOf(made(1, 9_000)), true],
  ['was added and ended meanwhile', queueOf(), queueOf(made(1, 9_000)), true],
  ['ended when the page was loaded', queueOf(made(1, -100)), queueOf(made(1, -100)), true],
  ['ended long before', queueOf(made(1, -60_000)), queueOf(made(1, -60_000)), false],
])('checks for new images of an item that %s', (_, before, now, mayHave) => {
  expect(mayHaveMade(before, now, SINCE)).toBe(mayHave)
})
