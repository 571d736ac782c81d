import type { EventData } from '#contract/events.ts'
import { isFinal } from '#contract/queue/queue.ts'
import type { Clock } from '#gallery/api/clock.ts'
import type { ServerEvents } from '#gallery/api/connection/server-events.ts'
import type { NewImages } from '#gallery/api/images/new-images.ts'
import { recordFromEvent } from '#gallery/api/images/record-from-event.ts'
import type { GenerationProgress } from './generation-progress.ts'
import type { Leftovers } from './leftovers.ts'
import type { Queue } from './queue.ts'
import { boardOfNode, imageNamesOf, makesNewImages, sizeOfNode } from './queue-entry.ts'
import {
  activeCountOf,
  MAX_LIVE,
  mayHaveMade,
  withCanceled,
  withImages,
  withStatus,
} from './queue-snapshot.ts'

interface QueueEventsApi {
  readonly clock: Clock
  readonly events: Pick<ServerEvents, 'on' | 'onConnected' | 'onLost' | 'start'>
  readonly queue: Queue
  readonly generations: GenerationProgress
  readonly leftovers: Pick<Leftovers, 'sweepSoon'>
  readonly newImages: Pick<NewImages, 'insertGenerated' | 'refreshAfterLast'>
  readonly refresh: { all(): void }
  readonly reachability: { wasGoneSince(atMs: number): boolean }
}

/** Loads the queue and keeps it up to date with server events, if the server has a queue. */
export async function watchQueue(api: QueueEventsApi, signal: AbortSignal): Promise<void> {
  const { events, queue, generations, clock } = api
  /** When the event stream was lost, by `clock.elapsed()`. */
  let lostAt = 0
  events.onConnected((isAgain) => void reconcile(api, isAgain, lostAt))
  events.onLost(() => {
    lostAt = clock.elapsed()
  })
  events.on('batch_enqueued', queue.refresh)
  events.on('queue_items_retried', queue.refresh)
  events.on('queue_cleared', queue.refresh)
  events.on('queue_items_canceled', ({ canceled_item_ids }) => {
    queue.change((snapshot) => withCanceled(snapshot, new Set(canceled_item_ids)))
    for (const itemId of canceled_item_ids) generations.remove(itemId)
    queue.refresh()
  })
  events.on('queue_item_status_changed', (news) => changeStatus(api, news))
  events.on('invocation_started', ({ item_id, session_id, invocation }) => {
    const isSaving = 'board' in invocation && !invocation.is_intermediate
    generations.update(item_id, {
      sessionId: session_id,
      step: null,
      fraction: null,
      ...(isSaving && { boardId: boardOfNode(invocation) }),
      ...(isSaving && sizeOfNode(invocation) && { sizePx: sizeOfNode(invocation) }),
    })
  })
  events.on('invocation_progress', ({ item_id, session_id, message, percentage, image }) => {
    generations.update(item_id, {
      sessionId: session_id,
      step: message,
      fraction: percentage,
      ...(image && {
        preview: image.dataURL,
        sizePx: { width: image.width, height: image.height },
      }),
    })
  })
  events.on('invocation_complete', (news) => takeResult(api, news))
  await queue.load()
  // A server without a queue has no events either. Without an answer there may be a queue.
  if (queue.cached() !== null) events.start(signal)
}

function changeStatus(
  { queue, generations, newImages, leftovers }: QueueEventsApi,
  news: EventData<'queue_item_status_changed'>,
): void {
  queue.change((snapshot) => withStatus(snapshot, news))
  queue.setBatchCounts(news.batch_status)
  const { item_id, status } = news
  // Its images may not be inserted into the views yet.
  if (isFinal(status) && generations.of(item_id).uninserted.length === 0)
    generations.remove(item_id)
  const now = queue.cached()
  if (!now) return
  const active = activeCountOf(now)
  if (active === 0) {
    newImages.refreshAfterLast()
    leftovers.sweepSoon()
  }
  // Only the front of a long queue is cached. Load the next part before it runs out.
  if (now.live.length < Math.min(active, MAX_LIVE / 2)) queue.refresh()
}

function takeResult(
  { queue, generations, newImages }: QueueEventsApi,
  news: EventData<'invocation_complete'>,
): void {
  const { item_id, session_id, invocation, result } = news
  if (!makesNewImages(invocation)) return
  const { imageNames, step } = generations.of(item_id)
  // An event can arrive twice.
  const fresh = imageNamesOf(result).filter((name) => !imageNames.includes(name))
  if (fresh.length === 0) return
  generations.addImages(item_id, fresh)
  queue.change((snapshot) => withImages(snapshot, item_id, fresh))
  const record = recordFromEvent(news, step)
  newImages.insertGenerated({
    sessionId: session_id,
    imageNames: fresh,
    records: record ? [record] : [],
    onInserted: () => {
      const left = generations.of(item_id).uninserted.filter((name) => !fresh.includes(name))
      generations.update(item_id, { uninserted: left })
      const isLive = queue.cached()?.live.some(({ itemId }) => itemId === item_id) ?? false
      if (left.length === 0 && !isLive) generations.remove(item_id)
    },
  })
}

/** Reloads the queue after the event stream has connected. The server does not repeat missed events. */
async function reconcile(
  { queue, generations, leftovers, refresh, reachability }: QueueEventsApi,
  isAgain: boolean,
  lostAt: number,
): Promise<void> {
  const before = queue.cached()
  const running = (before?.live ?? []).filter(({ status }) => status === 'in_progress')
  await queue.load()
  const now = queue.cached()
  if (!now) return
  leftovers.sweepSoon()
  // No events report images that were saved while the first connection was being opened. A reconnect refreshes anyway.
  if (before && !isAgain && mayHaveMade(before, now, performance.timeOrigin)) refresh.all()
  const live = new Set(now.live.map(({ itemId }) => itemId))
  const stopped = running.map(({ itemId }) => itemId).filter((itemId) => !live.has(itemId))
  for (const itemId of stopped) generations.remove(itemId)
  // After a server restart these items were interrupted. Otherwise another client canceled them.
  if (!isAgain || !reachability.wasGoneSince(lostAt)) return
  const canceled = now.ended.filter(({ status }) => status === 'canceled')
  const isCanceled = new Set(canceled.map(({ itemId }) => itemId))
  generations.interrupt(stopped.filter((itemId) => isCanceled.has(itemId)))
}
