import type { EventData } from '#contract/events.ts'
import { isFinal, MAX_ITEM_IDS } from '#contract/queue/queue.ts'
import { refreshAll } from '#gallery/api/after-changes.ts'
import { wasGoneSince } from '#gallery/api/connection/reachability.ts'
import { insertNewImages, refreshAfterLastImage } from '#gallery/api/images/new-images.ts'
import { recordFromEvent } from '#gallery/api/images/record-from-event.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import {
  addMadeImages,
  interrupted,
  progressed,
  progressOf,
  removeProgress,
} from './generation-progress.ts'
import { type Leftover, removeLeftover, savedLeftovers, saveLeftover } from './leftovers.ts'
import { imageNamesIn, imageNamesOf } from './made-images.ts'
import { askForQueue, cachedQueue, changeQueue, refreshQueue } from './queue-cache.ts'
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

/** When the event stream was lost, by `performance.now()`. */
let lostAt = 0

/** Loads the queue and keeps it up to date with server events, if the server has a queue. */
export async function watchQueue(): Promise<void> {
  theGallery.events.onConnected((isAgain) => void reconcile(isAgain))
  theGallery.events.onLost(() => {
    lostAt = performance.now()
  })
  theGallery.events.on('batch_enqueued', refreshQueue)
  theGallery.events.on('queue_items_retried', refreshQueue)
  theGallery.events.on('queue_cleared', refreshQueue)
  theGallery.events.on('queue_items_canceled', ({ canceled_item_ids }) => {
    changeQueue((queue) => withCanceled(queue, new Set(canceled_item_ids)))
    for (const itemId of canceled_item_ids) removeProgress(itemId)
    refreshQueue()
  })
  theGallery.events.on('queue_item_status_changed', changeStatus)
  theGallery.events.on('invocation_started', ({ item_id, session_id, invocation }) => {
    const isSaving = 'board' in invocation && !invocation.is_intermediate
    progressed(item_id, {
      sessionId: session_id,
      step: null,
      fraction: null,
      ...(isSaving && { boardId: boardOfNode(invocation) }),
      ...(isSaving && sizeOfNode(invocation) && { sizePx: sizeOfNode(invocation) }),
    })
  })
  theGallery.events.on(
    'invocation_progress',
    ({ item_id, session_id, message, percentage, image }) => {
      progressed(item_id, {
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
  theGallery.events.on('invocation_complete', takeResult)
  await askForQueue()
  // A server without a queue has no events either. Without an answer there may be a queue.
  if (cachedQueue() !== null) theGallery.events.start(new AbortController().signal)
}

function changeStatus(news: EventData<'queue_item_status_changed'>): void {
  changeQueue((queue) => withStatus(queue, news))
  const { item_id, status } = news
  // Its images may not be inserted into the views yet.
  if (isFinal(status) && progressOf(item_id).landing.length === 0) removeProgress(item_id)
  const queue = cachedQueue()
  if (!queue) return
  const active = activeCountOf(queue)
  if (active === 0) {
    refreshAfterLastImage()
    sweepLeftoversSoon()
  }
  // Only the front of a long queue is cached. Load the next part before it runs out.
  if (queue.live.length < Math.min(active, KEPT_LIVE / 2)) refreshQueue()
}

function takeResult(news: EventData<'invocation_complete'>): void {
  const { item_id, session_id, invocation, result } = news
  if (invocation.is_intermediate || SHOWING_NODES.includes(invocation.type)) return
  const { imageNames, step } = progressOf(item_id)
  // An event can arrive twice.
  const fresh = imageNamesOf(result).filter((name) => !imageNames.includes(name))
  if (fresh.length === 0) return
  addMadeImages(item_id, fresh)
  const record = recordFromEvent(news, step)
  insertNewImages({
    sessionId: session_id,
    imageNames: fresh,
    records: record ? [record] : [],
    onInserted: () => {
      const left = progressOf(item_id).landing.filter((name) => !fresh.includes(name))
      progressed(item_id, { landing: left })
      if (left.length === 0 && !isLive(item_id)) removeProgress(item_id)
    },
  })
}

const isLive = (itemId: number): boolean =>
  cachedQueue()?.live.some((entry) => entry.itemId === itemId) ?? false

/** Reloads the queue after the event stream has connected. The server does not repeat missed events. */
async function reconcile(isAgain: boolean): Promise<void> {
  const before = cachedQueue()
  const running = (before?.live ?? []).filter(({ status }) => status === 'in_progress')
  await askForQueue()
  const queue = cachedQueue()
  if (!queue) return
  sweepLeftoversSoon()
  // No events report images that were saved while the first connection was being opened. A reconnect refreshes anyway.
  if (before && !isAgain && mayHaveMade(before, queue, performance.timeOrigin)) refreshAll()
  const live = new Set(queue.live.map(({ itemId }) => itemId))
  const stopped = running.filter(({ itemId }) => !live.has(itemId))
  for (const { itemId } of stopped) removeProgress(itemId)
  // After a server restart these items were interrupted. Otherwise another client canceled them.
  if (!isAgain || !wasGoneSince(lostAt)) return
  const isCanceled = new Set(
    queue.ended.filter(({ status }) => status === 'canceled').map(({ itemId }) => itemId),
  )
  interrupted(stopped.map(({ itemId }) => itemId).filter((itemId) => isCanceled.has(itemId)))
}

/** The delay before intermediate images are deleted, in milliseconds. A canceled item ends some time after its cancel. */
const SWEEP_DELAY_MS = 3_000

let timer: ReturnType<typeof setTimeout> | undefined

/** Deletes intermediate images after a delay. A later call restarts the delay. */
function sweepLeftoversSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void sweepLeftovers(), SWEEP_DELAY_MS)
}

/** Deletes the intermediate images of finished items. */
async function sweepLeftovers(): Promise<void> {
  try {
    for (const leftover of savedLeftovers()) {
      if (leftover.notBefore <= Date.now()) await sweepOne(leftover)
    }
  } catch {
    // The server is unreachable or busy. No view shows these images, and the next sweep deletes them.
  }
}

async function sweepOne(leftover: Leftover): Promise<void> {
  if (leftover.imageNames.length > 0) await theGallery.client.images.delete(leftover.imageNames)
  let itemIds = leftover.itemIds
  while (itemIds.length > 0) {
    const found = await theGallery.client.queue.items(itemIds.slice(0, MAX_ITEM_IDS))
    const items = found.filter(({ batch_id }) => batch_id === leftover.batchId)
    const names = imageNamesIn(items, true)
    if (names.length > 0) await theGallery.client.images.delete(names)
    // Items that were removed from the queue create no more images.
    const live = items.filter(({ status }) => !isFinal(status)).map(({ item_id }) => item_id)
    itemIds = itemIds.slice(MAX_ITEM_IDS)
    if (live.length > 0) {
      saveLeftover({ ...leftover, imageNames: [], itemIds: [...live, ...itemIds] })
      return
    }
  }
  removeLeftover(leftover.batchId)
}
