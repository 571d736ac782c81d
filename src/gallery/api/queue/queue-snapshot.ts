import type { EventData } from '#contract/events.ts'
import { isFinal, type QueueCounts } from '#contract/queue/queue.ts'
import { entryOfSummary, faultOf, type QueueEntry } from './queue-entry.ts'

/** The maximum numbers of active and finished items in the cache. The other items are only counted. */
export const MAX_LIVE = 100
export const MAX_ENDED = 30

export interface QueueSnapshot {
  readonly counts: QueueCounts
  /** True if no further item is started. */
  readonly isPaused: boolean
  /** The first {@link MAX_LIVE} running and waiting items, in execution order. */
  readonly live: readonly QueueEntry[]
  /** The last {@link MAX_ENDED} finished items, latest first. */
  readonly ended: readonly QueueEntry[]
}

export function snapshotOf(
  counts: QueueCounts,
  isPaused: boolean,
  entries: Iterable<QueueEntry>,
): QueueSnapshot {
  const { pending, in_progress, waiting = 0, completed, failed, canceled, total } = counts
  const all = [...entries]
  return {
    counts: { pending, in_progress, waiting, completed, failed, canceled, total },
    isPaused,
    live: all
      .filter(({ status }) => !isFinal(status))
      .sort(byTurn)
      .slice(0, MAX_LIVE),
    ended: all
      .filter(({ status }) => isFinal(status))
      .sort(byEnd)
      .slice(0, MAX_ENDED),
  }
}

export const activeCountOf = ({ counts }: QueueSnapshot): number =>
  counts.pending + counts.in_progress + counts.waiting

/** Applies a status event. Adds the item if it is unknown. */
export function withStatus(
  queue: QueueSnapshot,
  news: EventData<'queue_item_status_changed'>,
): QueueSnapshot {
  const before = entryIn(queue, news.item_id)
  const entry: QueueEntry = {
    ...entryOfSummary(news),
    status: before && isFinal(before.status) ? before.status : news.status,
    graph: before?.graph ?? null,
    imageNames: before?.imageNames ?? null,
    retriedFrom: before?.retriedFrom ?? null,
    fault: faultOf(news) ?? before?.fault ?? null,
  }
  return snapshotOf(news.queue_status, queue.isPaused, entriesWith(queue, entry))
}

/** Marks items as canceled. InvokeAI sends no status events for items that are canceled together. */
export function withCanceled(queue: QueueSnapshot, itemIds: ReadonlySet<number>): QueueSnapshot {
  const gone = queue.live.filter(({ itemId }) => itemIds.has(itemId))
  const running = gone.filter(({ status }) => status === 'in_progress').length
  const { counts } = queue
  const canceled = gone.map((entry): QueueEntry => ({ ...entry, status: 'canceled' }))
  const all = [...queue.live.filter((entry) => !gone.includes(entry)), ...queue.ended, ...canceled]
  return snapshotOf(
    {
      ...counts,
      in_progress: Math.max(0, counts.in_progress - running),
      pending: Math.max(0, counts.pending - (gone.length - running)),
      canceled: counts.canceled + gone.length,
    },
    queue.isPaused,
    all,
  )
}

/** Adds the graphs and failure reasons of loaded items to a snapshot. */
export function withEntries(queue: QueueSnapshot, entries: readonly QueueEntry[]): QueueSnapshot {
  const known = new Map(entries.map((entry) => [entry.itemId, entry]))
  const fuller = (entry: QueueEntry): QueueEntry => {
    const { graph, fault, imageNames, retriedFrom } = known.get(entry.itemId) ?? entry
    return {
      ...entry,
      graph,
      fault: entry.fault ?? fault,
      imageNames: entry.imageNames ?? imageNames,
      retriedFrom,
    }
  }
  return { ...queue, live: queue.live.map(fuller), ended: queue.ended.map(fuller) }
}

/** Adds new images to an item. */
export function withImages(
  queue: QueueSnapshot,
  itemId: number,
  imageNames: readonly string[],
): QueueSnapshot {
  const add = (entry: QueueEntry): QueueEntry => {
    if (entry.itemId !== itemId) return entry
    const known = entry.imageNames ?? []
    const fresh = imageNames.filter((name) => !known.includes(name))
    return { ...entry, imageNames: [...known, ...fresh] }
  }
  return { ...queue, live: queue.live.map(add), ended: queue.ended.map(add) }
}

export const entryIn = (queue: QueueSnapshot, itemId: number): QueueEntry | undefined =>
  [...queue.live, ...queue.ended].find((entry) => entry.itemId === itemId)

/**
 * Returns true if images may have been created between two snapshots, or shortly before the first one.
 *
 * @param sinceMs - When the page began to load images, in milliseconds since 1970. The clocks may differ a little.
 */
export function mayHaveMade(before: QueueSnapshot, now: QueueSnapshot, sinceMs: number): boolean {
  const isNews = ({ itemId, endedAt }: QueueEntry) =>
    !before.ended.some((entry) => entry.itemId === itemId) ||
    (endedAt ?? 0) > sinceMs - CLOCKS_DIFFER_MS
  return before.live.length > 0 || now.ended.some(isNews)
}

const CLOCKS_DIFFER_MS = 5_000

const entriesWith = ({ live, ended }: QueueSnapshot, entry: QueueEntry): QueueEntry[] => [
  entry,
  ...[...live, ...ended].filter(({ itemId }) => itemId !== entry.itemId),
]

/** Sorts by execution order: the running item, then the highest priority, then the oldest. */
function byTurn(a: QueueEntry, b: QueueEntry): number {
  const isRunning = ({ status }: QueueEntry) => Number(status === 'in_progress')
  const priority = ({ graph }: QueueEntry) => graph?.priority ?? 0
  return isRunning(b) - isRunning(a) || priority(b) - priority(a) || a.itemId - b.itemId
}

const byEnd = (a: QueueEntry, b: QueueEntry): number =>
  (b.endedAt ?? b.createdAt) - (a.endedAt ?? a.createdAt) || b.itemId - a.itemId
