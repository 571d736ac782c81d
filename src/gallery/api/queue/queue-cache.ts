import { gallery, queryClient } from '#gallery/api/connection/connection.ts'
import { throttledWithBackoff } from '#gallery/api/throttled-with-backoff.ts'
import { entryOf } from './queue-entry.ts'
import { queueQuery } from './queue-queries.ts'
import { type QueueSnapshot, withEntries } from './queue-snapshot.ts'

/** How far apart the queue is asked for when much comes and goes in it: so far at first, and so far at most. In ms. */
const FIRST_GAP_MS = 500
const LAST_GAP_MS = 8_000

type Change = (queue: QueueSnapshot) => QueueSnapshot

/** What was changed while the server was being asked: its answer may not have it in it. */
let sinceAsked: Change[] = []

/** The queue as it was last known; null where the server has none, undefined before it was asked. */
export const cachedQueue = (): QueueSnapshot | null | undefined =>
  queryClient.getQueryData(queueQuery.queryKey)

/** Changes what is known of the queue. */
export function changeQueue(change: Change): void {
  if (isAsking()) sinceAsked.push(change)
  queryClient.setQueryData(queueQuery.queryKey, (queue) => (queue ? change(queue) : queue))
}

/** Asks for the queue, now. */
export async function askForQueue(): Promise<void> {
  sinceAsked = []
  if (cachedQueue() === undefined) await queryClient.prefetchQuery(queueQuery)
  else await queryClient.refetchQueries({ queryKey: queueQuery.queryKey })
  const late = sinceAsked
  sinceAsked = []
  for (const change of late) changeQueue(change)
}

/** Asks for the queue soon: at once, and ever further apart while much happens. */
export const refreshQueue: () => void = throttledWithBackoff(
  () => void askForQueue(),
  FIRST_GAP_MS,
  LAST_GAP_MS,
)

/** Asks what the graphs of ended items say, of which only the short form is known. */
export async function completeEntries(itemIds: readonly number[]): Promise<void> {
  const items = await gallery.queue.items(itemIds)
  changeQueue((queue) => withEntries(queue, items.map(entryOf)))
}

const isAsking = (): boolean =>
  queryClient.getQueryState(queueQuery.queryKey)?.fetchStatus === 'fetching'
