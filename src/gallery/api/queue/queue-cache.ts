import { throttled } from '#gallery/api/clock.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { entryOf } from './queue-entry.ts'
import { queueQuery } from './queue-queries.ts'
import { type QueueSnapshot, withEntries } from './queue-snapshot.ts'

/** The first and the longest gap between refetches while the queue changes often, in milliseconds. */
const FIRST_GAP_MS = 500
const LAST_GAP_MS = 8_000

type Change = (queue: QueueSnapshot) => QueueSnapshot

/** Changes since the active request was sent. Its answer may not contain them, so they are applied again. */
let sinceAsked: Change[] = []

/** Returns the cached queue; null if the server has none, undefined before the first answer. */
export const cachedQueue = (): QueueSnapshot | null | undefined =>
  theGallery.queryClient.getQueryData(queueQuery.queryKey)

/** Changes the cached queue. */
export function changeQueue(change: Change): void {
  if (isAsking()) sinceAsked.push(change)
  theGallery.queryClient.setQueryData(queueQuery.queryKey, (queue) =>
    queue ? change(queue) : queue,
  )
}

/** Fetches the queue now. */
export async function askForQueue(): Promise<void> {
  sinceAsked = []
  if (cachedQueue() === undefined) await theGallery.queryClient.prefetchQuery(queueQuery)
  else await theGallery.queryClient.refetchQueries({ queryKey: queueQuery.queryKey })
  const late = sinceAsked
  sinceAsked = []
  for (const change of late) changeQueue(change)
}

/** Fetches the queue: at once after a pause, with increasing gaps while it changes often. */
export const refreshQueue: () => void = throttled(theGallery.clock, () => void askForQueue(), {
  gapMs: FIRST_GAP_MS,
  maxGapMs: LAST_GAP_MS,
})

/** Loads the graphs of finished items of which only the summary is cached. */
export async function completeEntries(itemIds: readonly number[]): Promise<void> {
  const items = await theGallery.client.queue.items(itemIds)
  changeQueue((queue) => withEntries(queue, items.map(entryOf)))
}

const isAsking = (): boolean =>
  theGallery.queryClient.getQueryState(queueQuery.queryKey)?.fetchStatus === 'fetching'
