import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { RefusedError, type TesseraClient } from '#client/index.ts'
import { isFinal, type QueueCounts } from '#contract/queue/queue.ts'
import { useClient } from '#gallery/api/parts.ts'
import { type Progress, useGenerationState } from './generation-progress.ts'
import { entryOf, entryOfSummary, type QueueEntry } from './queue-entry.ts'
import { entryIn, MAX_ENDED, MAX_LIVE, type QueueSnapshot, snapshotOf } from './queue-snapshot.ts'

/** The maximum number of failed items whose reasons are loaded. */
const MAX_FAULTS = 20

const queueKey = ['queue'] as const

/** The queue; null if the server has none. */
export const queueQuery = (gallery: Pick<TesseraClient, 'queue'>) =>
  queryOptions({
    queryKey: queueKey,
    queryFn: async ({ client, signal }): Promise<QueueSnapshot | null> => {
      try {
        return await askQueue(gallery, client, signal)
      } catch (error) {
        if (error instanceof RefusedError && error.status === 404) return null
        throw error
      }
    },
    // Events keep it up to date.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

const batchKey = (batchId?: string) => ['queue-batch', batchId].filter((part) => part !== undefined)

/** The number of items of a batch by status. Status events keep it up to date. */
export const batchQuery = (gallery: Pick<TesseraClient, 'queue'>, batchId: string) =>
  queryOptions({
    queryKey: batchKey(batchId),
    queryFn: async ({ signal }): Promise<QueueCounts> =>
      gallery.queue.batchStatus(batchId, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The queries of all batches. */
export const batchQueries = () => ({ queryKey: batchKey() })

/** Loads the next items with their graphs and the last finished ones, in a few requests for a queue of any length. */
async function askQueue(
  { queue }: Pick<TesseraClient, 'queue'>,
  queryClient: QueryClient,
  signal: AbortSignal,
): Promise<QueueSnapshot> {
  const status = await queue.status({ signal })
  const counts = status.queue
  const isPaused = !status.processor.is_started
  if (counts.total === 0) return snapshotOf(counts, isPaused, [])

  const ids = await queue.itemIds({ signal })
  const entries = new Map<number, QueueEntry>()
  const before = queryClient.getQueryData<QueueSnapshot | null>(queueKey)
  const add = (all: readonly QueueEntry[]) => {
    for (const entry of all) entries.set(entry.itemId, withKnown(entry, before))
  }
  add(await summaries(queue, ids.slice(0, MAX_LIVE + MAX_ENDED), signal))
  const live = () => [...entries.values()].filter((entry) => !isFinal(entry.status))
  if (live().length < counts.pending + counts.in_progress + counts.waiting) {
    const head = counts.item_id ?? (await queue.next({ signal }))?.item_id
    add(await summaries(queue, idsAround(ids, head), signal))
  }
  const first = snapshotOf(counts, isPaused, entries.values())
  const wanted = [
    ...first.live,
    ...first.ended.filter((entry) => entry.status === 'failed').slice(0, MAX_FAULTS),
  ].filter(({ graph, status, fault }) => graph === null || (status === 'failed' && fault === null))
  if (wanted.length === 0) return first
  const items = await queue.items(
    wanted.map(({ itemId }) => itemId),
    { signal },
  )
  add(items.map(entryOf))
  return snapshotOf(counts, isPaused, entries.values())
}

/** Adds the cached graph and failure reason to an entry. Both never change. */
function withKnown(entry: QueueEntry, before: QueueSnapshot | null | undefined): QueueEntry {
  const known = before ? entryIn(before, entry.itemId) : undefined
  return {
    ...entry,
    graph: entry.graph ?? known?.graph ?? null,
    fault: entry.fault ?? known?.fault ?? null,
    imageNames: entry.imageNames ?? known?.imageNames ?? null,
    retriedFrom: entry.retriedFrom ?? known?.retriedFrom ?? null,
  }
}

/** Returns the items that run after an item, and those that ended before it. `ids` is sorted by newest first. */
function idsAround(ids: readonly number[], head: number | undefined): number[] {
  const at = head === undefined ? -1 : ids.indexOf(head)
  return at < 0 ? [] : ids.slice(Math.max(0, at - MAX_LIVE + 1), at + 1 + MAX_ENDED)
}

/** Loads summaries of items. InvokeAI before 6.14 has none, so that whole items are loaded. */
export async function summaries(
  queue: TesseraClient['queue'],
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<QueueEntry[]> {
  try {
    const options = signal ? { signal } : {}
    return (await queue.summaries(ids, options)).map(entryOfSummary)
  } catch (error) {
    if (!(error instanceof RefusedError) || ![404, 405].includes(error.status)) throw error
    return (await queue.items(ids, signal ? { signal } : {})).map(entryOf)
  }
}

/** Returns the queue; null if the server has none, undefined while loading. */
export const useQueue = (): QueueSnapshot | null | undefined =>
  useQuery(queueQuery(useClient())).data

/** Returns the progress of an item; undefined if no event has reported any. */
export const useProgress = (itemId: number): Progress | undefined =>
  useGenerationState().progress.get(itemId)

/** Returns the items that were interrupted by a stop of the server. */
export const useInterrupted = (): ReadonlySet<number> => useGenerationState().interrupted

/** Returns true if the server has a queue. False while loading. */
export const useHasQueue = (): boolean => (useQueue() ?? null) !== null
