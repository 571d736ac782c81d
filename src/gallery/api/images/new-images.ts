import { notifyManager } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import { refreshInSight } from '#gallery/api/after-changes.ts'
import { boardCache } from '#gallery/api/boards/board-queries.ts'
import { throttled } from '#gallery/api/clock.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { Edits } from './cache-edits.ts'
import { cachedViews, completeImages, imageKeys } from './image-cache.ts'
import { imageQueries } from './image-queries.ts'
import { knownImages } from './known-images.ts'
import { localDay, withNewImagesToday } from './new-image-days.ts'
import { isNewestFirst, isOf, withNewImages } from './new-image-windows.ts'
import { rememberNewImages } from './new-images-since.ts'

/** New images within this time are inserted together, in milliseconds. */
const GATHER_MS = 100

/** The minimum time between requests for their records, in milliseconds. */
const REQUEST_GAP_MS = 3_000

/** Requests that may be sent at once before {@link REQUEST_GAP_MS} applies. */
const REQUEST_BURST = 5

/** The delay between the latest records and a refresh of all views, in milliseconds. */
const REFRESH_MS = 1_500

/** The minimum time between two refreshes, in milliseconds. */
const MAX_REFRESH_GAP_MS = 10_000

/** Images of one queue session that a node has just saved. */
interface NewImages {
  readonly sessionId: string
  readonly imageNames: readonly string[]
  /** Provisional records from the event. Empty if the real records must be loaded before the images can be shown. */
  readonly records: readonly ImageRecord[]
  /** Called in the batch that inserts the images into the views, so that both changes are rendered together. */
  readonly onInserted: () => void
}

type QueuedImages = NewImages & { readonly addedAt: number }

/** New images to insert, and inserted ones whose records must be requested. */
let queued: QueuedImages[] = []
let unconfirmed: QueuedImages[] = []
/** Provisional records by image name, until the real ones are loaded. */
const provisional = new Map<string, ImageRecord>()
/** Token bucket for requests: the time at which the previous requests would be {@link REQUEST_GAP_MS} apart. */
let paidUntil = Number.NEGATIVE_INFINITY
let refreshTimer: ReturnType<typeof setTimeout> | undefined
let refreshedAt = Number.NEGATIVE_INFINITY

/** Inserts new images into the cached views and counts, without refetching them. */
export function insertNewImages(landing: NewImages): void {
  queued.push({ ...landing, addedAt: performance.now() })
  showSoon()
}

/** Refreshes all views soon, because the queue is empty and no more images follow. */
export function refreshAfterLastImage(): void {
  if (refreshTimer === undefined) return
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(refresh, REFRESH_MS)
}

const showSoon = throttled(theGallery.clock, () => showQueued(), { gapMs: GATHER_MS })

/** Inserts provisional records at once, and schedules the request for the real records of all new images. */
function showQueued(): void {
  const now = queued
  queued = []
  const records = now.flatMap((landing) => landing.records)
  for (const record of records) provisional.set(record.image_name, record)
  notifyManager.batch(() => {
    show(records)
    count(addedSinceRefresh(now), records)
    notifyInserted(now.filter((landing) => landing.records.length > 0))
  })
  const waitMs = paidUntil - REQUEST_BURST * REQUEST_GAP_MS - performance.now()
  if (unconfirmed.length === 0) setTimeout(() => void confirmRecords(), Math.max(0, waitMs))
  unconfirmed.push(...now)
}

async function confirmRecords(): Promise<void> {
  const now = unconfirmed
  unconfirmed = []
  paidUntil = Math.max(performance.now(), paidUntil) + REQUEST_GAP_MS
  const records = await recordsOf(now)
  const untold = now.filter((landing) => landing.records.length === 0)
  notifyManager.batch(() => {
    completeImages(theGallery.queryClient, records)
    show(records)
    count(addedSinceRefresh(untold), records)
    notifyInserted(untold)
  })
  const isElsewhere = records.some((record) =>
    isInOtherViews(provisional.get(record.image_name), record),
  )
  for (const { imageNames } of now) for (const name of imageNames) provisional.delete(name)
  if (isElsewhere) refresh()
  else refreshLater()
}

/** True if the real record belongs to other views than the provisional one: its board was deleted, or it is a mask. */
const isInOtherViews = (before: ImageRecord | undefined, now: ImageRecord): boolean =>
  before !== undefined &&
  (before.board_id !== now.board_id || before.image_category !== now.image_category)

const notifyInserted = (landings: readonly NewImages[]): void =>
  notifyManager.schedule(() => {
    for (const { onInserted } of landings) onInserted()
  })

/** Returns the images that were added after the last refresh, so that the cached counts do not contain them. */
const addedSinceRefresh = (landings: readonly QueuedImages[]): ReadonlySet<string> =>
  new Set(
    landings.filter(({ addedAt }) => addedAt > refreshedAt).flatMap(({ imageNames }) => imageNames),
  )

/** Requests the records of new images. A hidden tab requests none: it refetches its views when it becomes visible. */
async function recordsOf(all: readonly NewImages[]): Promise<ImageRecord[]> {
  if (document.visibilityState === 'hidden') return []
  const sessions = new Set(all.map(({ sessionId }) => sessionId))
  const names = [...new Set(all.flatMap(({ imageNames }) => imageNames))]
  const known = knownImages(names)
  const unknown = names.filter((name) => provisional.has(name) || !known.has(name))
  if (unknown.length === 0) return []
  try {
    const records = await theGallery.client.images.getMany(unknown)
    // A cached result of a node belongs to an earlier session and is already counted.
    return records.filter(
      ({ session_id, is_intermediate }) =>
        !is_intermediate && session_id !== null && sessions.has(session_id),
    )
  } catch {
    // No answer. The next refresh loads them.
    return []
  }
}

/** Inserts records into the cached views. The holes that this leaves are filled by the next refresh, not each time. */
function show(records: readonly ImageRecord[]): void {
  if (records.length === 0) return
  rememberNewImages(records)
  const edits = new Edits(theGallery.queryClient)
  for (const { view, windows } of cachedViews(theGallery.queryClient)) {
    const own = records.filter((record) => isOf(view, record))
    const landed = own.length > 0 && isNewestFirst(view) ? withNewImages(view, windows, own) : null
    if (landed === null) continue
    const more = (landed.get(0)?.total ?? 0) - (windows.get(0)?.total ?? 0)
    for (const [index, window] of landed) edits.set(imageKeys.window(view, index), window)
    const { queryKey } = imageQueries.days(view)
    const days = theGallery.queryClient.getQueryData(queryKey)
    if (days) edits.set(queryKey, withNewImagesToday(days, more, localDay(new Date())))
  }
}

function count(names: ReadonlySet<string>, records: readonly ImageRecord[]): void {
  const fresh = records.filter(({ image_name }) => names.has(image_name))
  if (fresh.length === 0) return
  const counts = Map.groupBy(fresh, ({ board_id }) => board_id ?? 'none')
  const edit = boardCache.edit({ counts: new Map([...counts].map(([id, of]) => [id, of.length])) })
  edit.settle()
}

function refreshLater(): void {
  const waitMs = Math.max(REFRESH_MS, refreshedAt + MAX_REFRESH_GAP_MS - performance.now())
  refreshTimer ??= setTimeout(refresh, waitMs)
}

function refresh(): void {
  clearTimeout(refreshTimer)
  refreshTimer = undefined
  refreshedAt = performance.now()
  refreshInSight()
}
