import { isFinal, type QueueCounts } from '#contract/queue/queue.ts'
import type { QueueEntry } from './queue-entry.ts'
import type { QueueSnapshot } from './queue-snapshot.ts'

/** The cached items of a batch. */
export interface QueueBatch {
  readonly batchId: string
  /** Running and waiting items in execution order, then finished ones, latest first. Without {@link retried} items. */
  readonly entries: readonly [QueueEntry, ...QueueEntry[]]
  /** Failed and canceled items that were enqueued again. */
  readonly retried: readonly QueueEntry[]
  /** True if the server may have more items of this batch than the cache. */
  readonly isPartial: boolean
}

export interface QueueBatches {
  readonly running: readonly QueueBatch[]
  readonly waiting: readonly QueueBatch[]
  readonly ended: readonly QueueBatch[]
}

/** Groups the cached items by batch. A batch runs from its first item to its last, unless others or a pause interrupt it. */
export function batchesOf({ live, ended, counts, isPaused }: QueueSnapshot): QueueBatches {
  const all = [...live, ...ended]
  const isWhole = all.length >= counts.total
  const lastIds = [live.at(-1)?.batchId, ended.at(-1)?.batchId]
  const batches = [...Map.groupBy(all, ({ batchId }) => batchId)].flatMap(([batchId, group]) => {
    const newest = newestOfChains(group)
    const [first, ...rest] = group.filter((entry) => newest.has(entry.itemId))
    if (first === undefined) return []
    const batch: QueueBatch = {
      batchId,
      entries: [first, ...rest],
      retried: group.filter((entry) => !newest.has(entry.itemId)),
      // Most batches have one item. Only those that can reach beyond the cache are asked for.
      isPartial: !isWhole && (group.length > 1 || lastIds.includes(batchId)),
    }
    return [batch]
  })
  const nextId = isPaused ? undefined : live[0]?.batchId
  const statusOf = ({ batchId, entries }: QueueBatch) => {
    if (entries.some(({ status }) => status === 'in_progress')) return 'running'
    // For a moment between two of its items none is in progress.
    if (batchId === nextId && entries.some(({ status }) => status === 'completed')) return 'running'
    return entries.some(({ status }) => !isFinal(status)) ? 'waiting' : 'ended'
  }
  return {
    running: batches.filter((batch) => statusOf(batch) === 'running'),
    waiting: batches.filter((batch) => statusOf(batch) === 'waiting'),
    ended: batches.filter((batch) => statusOf(batch) === 'ended'),
  }
}

/** Returns the newest item of each chain of retries. A retry is a new item that names the first one of its chain. */
function newestOfChains(items: readonly ChainItem[]): Set<number> {
  const newest = new Map<number, number>()
  for (const { itemId, retriedFrom } of items) {
    const first = retriedFrom ?? itemId
    newest.set(first, Math.max(itemId, newest.get(first) ?? 0))
  }
  return new Set(newest.values())
}

type ChainItem = Pick<QueueEntry, 'itemId' | 'retriedFrom'>

/** Returns the counts of a batch without retried items. */
export function withoutRetried(counts: QueueCounts, { retried }: QueueBatch): QueueCounts {
  const { failed, canceled, total } = countsIn(retried)
  return {
    ...counts,
    failed: Math.max(0, counts.failed - failed),
    canceled: Math.max(0, counts.canceled - canceled),
    total: counts.total - total,
  }
}

export function countsIn(entries: readonly QueueEntry[]): QueueCounts & { waiting: number } {
  const counts = { pending: 0, in_progress: 0, waiting: 0, completed: 0, failed: 0, canceled: 0 }
  for (const { status } of entries) counts[status] += 1
  return { ...counts, total: entries.length }
}

/** Returns the number of running and waiting items. */
export const activeIn = ({ pending, in_progress, waiting = 0 }: QueueCounts): number =>
  pending + in_progress + waiting

/** Returns the images of a batch, newest first, at most `max`. */
export const newestImagesOf = ({ entries }: QueueBatch, max: number): string[] =>
  entries.flatMap(({ imageNames }) => imageNames?.toReversed() ?? []).slice(0, max)

/** Returns the expected time until a batch is done, in milliseconds; null before one of its items is done. */
export function timeLeftOf({ entries }: QueueBatch, counts: QueueCounts): number | null {
  const durations = entries.flatMap(({ status, startedAt, endedAt }) =>
    status === 'completed' && startedAt !== null && endedAt !== null ? [endedAt - startedAt] : [],
  )
  if (durations.length === 0) return null
  const sum = durations.reduce((total, ms) => total + ms, 0)
  return (sum / durations.length) * activeIn(counts)
}

/** Returns the failed items that were not retried since, or the canceled ones if none failed. */
export function retryableIn(entries: readonly QueueEntry[]): number[] {
  const newest = newestOfChains(entries)
  const idsOf = (wanted: QueueEntry['status']) =>
    entries.flatMap(({ itemId, status }) =>
      status === wanted && newest.has(itemId) ? [itemId] : [],
    )
  const failed = idsOf('failed')
  return failed.length > 0 ? failed : idsOf('canceled')
}
