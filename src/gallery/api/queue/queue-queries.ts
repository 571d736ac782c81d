import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { RefusedError } from '#client/index.ts'
import { isFinal } from '#contract/queue/queue.ts'
import { gallery } from '#gallery/api/connection/connection.ts'
import { type Progress, useGenerationState } from './generation-progress.ts'
import { entryOf, entryOfSummary, type QueueEntry } from './queue-entry.ts'
import { entryIn, KEPT_ENDED, KEPT_LIVE, type QueueSnapshot, snapshotOf } from './queue-snapshot.ts'

/** Failed items of which the reason is asked for. */
const KEPT_FAULTS = 20

const queueKey = ['queue'] as const

/** The queue of the server; null where the server has none. */
export const queueQuery = queryOptions({
  queryKey: queueKey,
  queryFn: async ({ client, signal }): Promise<QueueSnapshot | null> => {
    try {
      return await askQueue(client, signal)
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) return null
      throw error
    }
  },
  // Events keep it true.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** Asks for what is next, what ended last, and for the graphs of what is to come: a few requests however long it is. */
async function askQueue(client: QueryClient, signal: AbortSignal): Promise<QueueSnapshot> {
  const { queue } = gallery
  const status = await queue.status({ signal })
  const { pending, in_progress, waiting, completed, failed, canceled, total } = status.queue
  const counts = { pending, in_progress, waiting, completed, failed, canceled, total }
  const isPaused = !status.processor.is_started
  if (total === 0) return snapshotOf(counts, isPaused, [])

  const ids = await queue.itemIds({ signal })
  const entries = new Map<number, QueueEntry>()
  const before = client.getQueryData<QueueSnapshot | null>(queueKey)
  const add = (all: readonly QueueEntry[]) => {
    for (const entry of all) entries.set(entry.itemId, withKnown(entry, before))
  }
  add(await summaries(ids.slice(0, KEPT_LIVE + KEPT_ENDED), signal))
  const live = () => [...entries.values()].filter((entry) => !isFinal(entry.status))
  if (live().length < pending + in_progress + waiting) {
    const head = status.queue.item_id ?? (await queue.next({ signal }))?.item_id
    add(await summaries(idsAround(ids, head), signal))
  }
  const first = snapshotOf(counts, isPaused, entries.values())
  const wanted = [
    ...first.live,
    ...first.ended.filter((entry) => entry.status === 'failed').slice(0, KEPT_FAULTS),
  ].filter(({ graph, status, fault }) => graph === null || (status === 'failed' && fault === null))
  if (wanted.length === 0) return first
  const items = await queue.items(
    wanted.map(({ itemId }) => itemId),
    { signal },
  )
  add(items.map(entryOf))
  return snapshotOf(counts, isPaused, entries.values())
}

/** A graph never changes: what the page knows of it need not be asked for again. */
function withKnown(entry: QueueEntry, before: QueueSnapshot | null | undefined): QueueEntry {
  const known = before ? entryIn(before, entry.itemId) : undefined
  return {
    ...entry,
    graph: entry.graph ?? known?.graph ?? null,
    fault: entry.fault ?? known?.fault ?? null,
  }
}

/** What runs after an item, and what ended before it. `ids` has the newest first. */
function idsAround(ids: readonly number[], head: number | undefined): number[] {
  const at = head === undefined ? -1 : ids.indexOf(head)
  return at < 0 ? [] : ids.slice(Math.max(0, at - KEPT_LIVE + 1), at + 1 + KEPT_ENDED)
}

/** InvokeAI before 6.14 has no short form. */
async function summaries(ids: readonly number[], signal: AbortSignal): Promise<QueueEntry[]> {
  try {
    return (await gallery.queue.summaries(ids, { signal })).map(entryOfSummary)
  } catch (error) {
    if (!(error instanceof RefusedError) || ![404, 405].includes(error.status)) throw error
    return (await gallery.queue.items(ids, { signal })).map(entryOf)
  }
}

/** The queue; null where the server has none, undefined while that is not known. */
export const useQueue = (): QueueSnapshot | null | undefined => useQuery(queueQuery).data

/** How far an item is; undefined where events have told nothing of it. */
export const useProgress = (itemId: number): Progress | undefined =>
  useGenerationState().progress.get(itemId)

/** Items that were stopped without anybody having asked for it. */
export const useInterrupted = (): ReadonlySet<number> => useGenerationState().interrupted
