import type { QueryClient } from '@tanstack/react-query'
import type { TesseraClient } from '#client/index.ts'
import type { BatchStatus, QueueItem } from '#contract/queue/queue.ts'
import { type Clock, throttled } from '#gallery/api/clock.ts'
import { memoizeLast } from '#gallery/api/images/memoize-last.ts'
import type { GenerationProgress } from './generation-progress.ts'
import { generationsOf } from './generations-of.ts'
import { retryableIn } from './queue-batches.ts'
import { entryOf } from './queue-entry.ts'
import { batchQueries, batchQuery, queueQuery, summaries } from './queue-queries.ts'
import { type QueueSnapshot, withCanceled, withEntries } from './queue-snapshot.ts'

/** The first and the longest gap between refetches while the queue changes often, in milliseconds. */
const FIRST_GAP_MS = 500

const LAST_GAP_MS = 8_000

type Change = (queue: QueueSnapshot) => QueueSnapshot

interface QueueApi {
  readonly client: Pick<TesseraClient, 'queue'>
  readonly queryClient: QueryClient
  readonly clock: Clock
  readonly generations: Pick<GenerationProgress, 'dismiss'>
}

export class Queue {
  readonly #api: QueueApi
  readonly #query: ReturnType<typeof queueQuery>
  /** Changes since the active request was sent. Its answer may not contain them, so they are applied again. */
  #sinceAsked: Change[] = []

  /** Memoized, because each row of the board list uses the generations. */
  readonly generations = memoizeLast(generationsOf)

  /** Fetches the queue: at once after a pause, with increasing gaps while it changes often. */
  readonly refresh: () => void

  constructor(api: QueueApi) {
    this.#api = api
    this.#query = queueQuery(api.client)
    this.refresh = throttled(api.clock, () => void this.load(), {
      gapMs: FIRST_GAP_MS,
      maxGapMs: LAST_GAP_MS,
    })
  }

  /** Returns the cached queue; null if the server has none, undefined before the first answer. */
  readonly cached = (): QueueSnapshot | null | undefined =>
    this.#api.queryClient.getQueryData(this.#query.queryKey)

  change(change: Change): void {
    if (this.#isAsking()) this.#sinceAsked.push(change)
    this.#api.queryClient.setQueryData(this.#query.queryKey, (queue) =>
      queue ? change(queue) : queue,
    )
  }

  async load(): Promise<void> {
    this.#sinceAsked = []
    if (this.cached() === undefined) await this.#api.queryClient.prefetchQuery(this.#query)
    else await this.#api.queryClient.refetchQueries({ queryKey: this.#query.queryKey })
    const late = this.#sinceAsked
    this.#sinceAsked = []
    for (const change of late) this.change(change)
    await this.#api.queryClient.invalidateQueries(batchQueries())
  }

  /** Updates the counts of a batch, if they are shown. */
  setBatchCounts(counts: BatchStatus): void {
    const { queryClient, client } = this.#api
    const { queryKey } = batchQuery(client, counts.batch_id)
    if (queryClient.getQueryState(queryKey) === undefined) return
    // An active request may have been answered before this change.
    void queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, counts)
  }

  /** Loads the graphs of finished items of which only the summary is cached. */
  async complete(itemIds: readonly number[]): Promise<void> {
    const items = await this.#api.client.queue.items(itemIds)
    this.change((queue) => withEntries(queue, items.map(entryOf)))
  }

  async cancel(itemId: number): Promise<void> {
    const item: QueueItem | null = await this.#api.client.queue.cancel(itemId)
    if (item === null || item.status === 'canceled') {
      this.change((queue) => withCanceled(queue, new Set([itemId])))
    }
  }

  /** Enqueues failed or canceled items again, and hides the old ones. */
  async retry(itemIds: readonly number[]): Promise<void> {
    await this.#api.client.queue.retry(itemIds)
    this.#api.generations.dismiss(itemIds)
    this.refresh()
  }

  async cancelBatch(batchId: string): Promise<void> {
    await this.#api.client.queue.cancelBatches([batchId])
    this.refresh()
  }

  /** Enqueues the failed items of a batch again, or the canceled ones if none failed. */
  async retryBatch(batchId: string): Promise<void> {
    const { queue } = this.#api.client
    const all = await summaries(queue, await queue.itemIds())
    const ids = all.filter((entry) => entry.batchId === batchId).map(({ itemId }) => itemId)
    const retryable = retryableIn((await queue.items(ids)).map(entryOf))
    if (retryable.length > 0) await this.retry(retryable)
  }

  /** Cancels all items. Waiting ones first, so that none of them starts in between. */
  async cancelAll(): Promise<void> {
    await this.#api.client.queue.cancelAllExceptCurrent()
    const current = await this.#api.client.queue.current()
    if (current !== null) await this.#api.client.queue.cancel(current.item_id)
    this.refresh()
  }

  async prune(): Promise<void> {
    await this.#api.client.queue.prune()
    this.change((queue) => ({
      ...queue,
      counts: { ...queue.counts, completed: 0, failed: 0, canceled: 0 },
      ended: [],
    }))
    this.refresh()
  }

  async setPaused(isPaused: boolean): Promise<void> {
    const { is_started } = isPaused
      ? await this.#api.client.queue.pause()
      : await this.#api.client.queue.resume()
    this.change((queue) => ({ ...queue, isPaused: !is_started }))
  }

  readonly #isAsking = (): boolean =>
    this.#api.queryClient.getQueryState(this.#query.queryKey)?.fetchStatus === 'fetching'
}
