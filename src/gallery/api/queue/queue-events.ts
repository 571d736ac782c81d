import type { TesseraClient } from '#client/index.ts'
import type { EventData } from '#contract/events.ts'
import { isFinal, MAX_ITEM_IDS } from '#contract/queue/queue.ts'
import { type Clock, Timer } from '#gallery/api/clock.ts'
import type { ServerReachability } from '#gallery/api/connection/reachability.ts'
import type { ServerEvents } from '#gallery/api/connection/server-events.ts'
import type { NewImages } from '#gallery/api/images/new-images.ts'
import { recordFromEvent } from '#gallery/api/images/record-from-event.ts'
import type { Refresh } from '#gallery/api/refresh.ts'
import type { GenerationProgress } from './generation-progress.ts'
import type { Leftover, Leftovers } from './leftovers.ts'
import { imageNamesIn, imageNamesOf } from './made-images.ts'
import type { Queue } from './queue.ts'
import { boardOfNode, sizeOfNode } from './queue-entry.ts'
import {
  activeCountOf,
  KEPT_LIVE,
  mayHaveMade,
  withCanceled,
  withStatus,
} from './queue-snapshot.ts'

/** Nodes that return an existing image. */
const SHOWING_NODES: readonly string[] = ['image', 'load_image', 'show_image', 'video']

/**
 * The delay before intermediate images are deleted, in milliseconds. A canceled item ends some time after its cancel.
 */
const SWEEP_DELAY_MS = 3_000

interface QueueEventsOptions {
  readonly client: TesseraClient
  readonly clock: Clock
  readonly events: ServerEvents
  readonly reachability: ServerReachability
  readonly refresh: Refresh
  readonly newImages: NewImages
  readonly queue: Queue
  readonly generations: GenerationProgress
  readonly leftovers: Leftovers
}

/** Keeps the queue and its images up to date with the events of the server. */
export class QueueEvents {
  readonly #api: QueueEventsOptions
  readonly #timer: Timer
  /** When the event stream was lost, by `clock.elapsed()`. */
  #lostAt = 0

  constructor(api: QueueEventsOptions) {
    this.#api = api
    this.#timer = new Timer(api.clock)
  }

  /** Loads the queue and keeps it up to date with server events, if the server has a queue. */
  async watch(signal: AbortSignal): Promise<void> {
    this.#api.events.onConnected((isAgain) => void this.#reconcile(isAgain))
    this.#api.events.onLost(() => {
      this.#lostAt = this.#api.clock.elapsed()
    })
    this.#api.events.on('batch_enqueued', this.#api.queue.refresh)
    this.#api.events.on('queue_items_retried', this.#api.queue.refresh)
    this.#api.events.on('queue_cleared', this.#api.queue.refresh)
    this.#api.events.on('queue_items_canceled', ({ canceled_item_ids }) => {
      this.#api.queue.change((queue) => withCanceled(queue, new Set(canceled_item_ids)))
      for (const itemId of canceled_item_ids) this.#api.generations.remove(itemId)
      this.#api.queue.refresh()
    })
    this.#api.events.on('queue_item_status_changed', (news) => this.#changeStatus(news))
    this.#api.events.on('invocation_started', ({ item_id, session_id, invocation }) => {
      const isSaving = 'board' in invocation && !invocation.is_intermediate
      this.#api.generations.update(item_id, {
        sessionId: session_id,
        step: null,
        fraction: null,
        ...(isSaving && { boardId: boardOfNode(invocation) }),
        ...(isSaving && sizeOfNode(invocation) && { sizePx: sizeOfNode(invocation) }),
      })
    })
    this.#api.events.on(
      'invocation_progress',
      ({ item_id, session_id, message, percentage, image }) => {
        this.#api.generations.update(item_id, {
          sessionId: session_id,
          step: message,
          fraction: percentage,
          ...(image && {
            preview: image.dataURL,
            sizePx: { width: image.width, height: image.height },
          }),
        })
      },
    )
    this.#api.events.on('invocation_complete', (news) => this.#takeResult(news))
    await this.#api.queue.load()
    // A server without a queue has no events either. Without an answer there may be a queue.
    if (this.#api.queue.cached() !== null) this.#api.events.start(signal)
  }

  #changeStatus(news: EventData<'queue_item_status_changed'>): void {
    this.#api.queue.change((queue) => withStatus(queue, news))
    const { item_id, status } = news
    // Its images may not be inserted into the views yet.
    if (isFinal(status) && this.#api.generations.of(item_id).uninserted.length === 0)
      this.#api.generations.remove(item_id)
    const now = this.#api.queue.cached()
    if (!now) return
    const active = activeCountOf(now)
    if (active === 0) {
      this.#api.newImages.refreshAfterLast()
      this.#sweepSoon()
    }
    // Only the front of a long queue is cached. Load the next part before it runs out.
    if (now.live.length < Math.min(active, KEPT_LIVE / 2)) this.#api.queue.refresh()
  }

  #takeResult(news: EventData<'invocation_complete'>): void {
    const { item_id, session_id, invocation, result } = news
    if (invocation.is_intermediate || SHOWING_NODES.includes(invocation.type)) return
    const { imageNames, step } = this.#api.generations.of(item_id)
    // An event can arrive twice.
    const fresh = imageNamesOf(result).filter((name) => !imageNames.includes(name))
    if (fresh.length === 0) return
    this.#api.generations.addImages(item_id, fresh)
    const record = recordFromEvent(news, step)
    this.#api.newImages.insertGenerated({
      sessionId: session_id,
      imageNames: fresh,
      records: record ? [record] : [],
      onInserted: () => {
        const left = this.#api.generations
          .of(item_id)
          .uninserted.filter((name) => !fresh.includes(name))
        this.#api.generations.update(item_id, { uninserted: left })
        if (left.length === 0 && !this.#isLive(item_id)) this.#api.generations.remove(item_id)
      },
    })
  }

  readonly #isLive = (itemId: number): boolean =>
    this.#api.queue.cached()?.live.some((entry) => entry.itemId === itemId) ?? false

  /** Reloads the queue after the event stream has connected. The server does not repeat missed events. */
  async #reconcile(isAgain: boolean): Promise<void> {
    const before = this.#api.queue.cached()
    const running = (before?.live ?? []).filter(({ status }) => status === 'in_progress')
    await this.#api.queue.load()
    const now = this.#api.queue.cached()
    if (!now) return
    this.#sweepSoon()
    // No events report images that were saved while the first connection was being opened. A reconnect refreshes anyway.
    if (before && !isAgain && mayHaveMade(before, now, performance.timeOrigin))
      this.#api.refresh.all()
    const live = new Set(now.live.map(({ itemId }) => itemId))
    const stopped = running.filter(({ itemId }) => !live.has(itemId))
    for (const { itemId } of stopped) this.#api.generations.remove(itemId)
    // After a server restart these items were interrupted. Otherwise another client canceled them.
    if (!isAgain || !this.#api.reachability.wasGoneSince(this.#lostAt)) return
    const isCanceled = new Set(
      now.ended.filter(({ status }) => status === 'canceled').map(({ itemId }) => itemId),
    )
    this.#api.generations.interrupt(
      stopped.map(({ itemId }) => itemId).filter((itemId) => isCanceled.has(itemId)),
    )
  }

  /** Deletes intermediate images after a delay. A later call restarts the delay. */
  #sweepSoon(): void {
    this.#timer.restart(SWEEP_DELAY_MS, () => void this.#sweep())
  }

  /** Deletes the intermediate images of finished items. */
  async #sweep(): Promise<void> {
    try {
      for (const leftover of this.#api.leftovers.all()) {
        if (leftover.notBefore <= this.#api.clock.now()) await this.#sweepOne(leftover)
      }
    } catch {
      // The server is unreachable or busy. No view shows these images, and the next sweep deletes them.
    }
  }

  async #sweepOne(leftover: Leftover): Promise<void> {
    if (leftover.imageNames.length > 0) await this.#api.client.images.delete(leftover.imageNames)
    let itemIds = leftover.itemIds
    while (itemIds.length > 0) {
      const found = await this.#api.client.queue.items(itemIds.slice(0, MAX_ITEM_IDS))
      const items = found.filter(({ batch_id }) => batch_id === leftover.batchId)
      const names = imageNamesIn(items, true)
      if (names.length > 0) await this.#api.client.images.delete(names)
      // Items that were removed from the queue create no more images.
      const live = items.filter(({ status }) => !isFinal(status)).map(({ item_id }) => item_id)
      itemIds = itemIds.slice(MAX_ITEM_IDS)
      if (live.length > 0) {
        this.#api.leftovers.save({ ...leftover, imageNames: [], itemIds: [...live, ...itemIds] })
        return
      }
    }
    this.#api.leftovers.remove(leftover.batchId)
  }
}
