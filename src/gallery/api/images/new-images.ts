import { notifyManager } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import { refreshInSight } from '#gallery/api/after-changes.ts'
import { boardCache } from '#gallery/api/boards/board-queries.ts'
import { gallery, queryClient } from '#gallery/api/connection/connection.ts'
import { throttled } from '#gallery/api/throttled.ts'
import { Edits } from './cache-edits.ts'
import { cachedViews, completeImages, imageKeys } from './image-cache.ts'
import { imageQueries } from './image-queries.ts'
import { knownImages } from './known-images.ts'
import { localDay, withNewImagesToday } from './new-image-days.ts'
import { isNewestFirst, isOf, withNewImages } from './new-image-windows.ts'
import { rememberNewImages } from './new-images-since.ts'

/** Images that come within so long of the last ones are shown together, in milliseconds. */
const GATHER_MS = 100

/** While they keep coming, requests for their records are so far apart, in milliseconds; */
const REQUEST_GAP_MS = 3_000

/** after the first few, which go at once. */
const REQUEST_BURST = 5

/** The server is asked how everything stands when no more come for so long, in milliseconds. */
const REFRESH_MS = 1_500

/** And at the latest so long after the last time, in milliseconds. */
const MAX_REFRESH_GAP_MS = 10_000

/** Images of one session that a node has just saved. */
interface NewImages {
  readonly sessionId: string
  readonly imageNames: readonly string[]
  /** Their records as the event told them; empty where they have to be asked for before they are shown. */
  readonly records: readonly ImageRecord[]
  /** They are in the views. Called while these are changed, so that both are drawn at once. */
  readonly onInserted: () => void
}

type QueuedImages = NewImages & { readonly addedAt: number }

/** What is to be shown, and what the server is to be asked for. */
let queued: QueuedImages[] = []
let unconfirmed: QueuedImages[] = []
/** Records that are shown as events told them, until the server has been asked. */
const provisional = new Map<string, ImageRecord>()
/** When the next request may go if those before it had all been {@link REQUEST_GAP_MS} apart. */
let paidUntil = Number.NEGATIVE_INFINITY
let refreshTimer: ReturnType<typeof setTimeout> | undefined
let refreshedAt = Number.NEGATIVE_INFINITY

/** Brings new images into the views and counts that they belong to, without asking for these again. */
export function insertNewImages(landing: NewImages): void {
  queued.push({ ...landing, addedAt: performance.now() })
  showSoon()
}

/** Nothing more is being made: what is shown is compared with the server soon. */
export function refreshAfterLastImage(): void {
  if (refreshTimer === undefined) return
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(refresh, REFRESH_MS)
}

const showSoon = throttled(() => showQueued(), GATHER_MS)

/** Shows what is told; the server is asked for the rest of it, and for what is not told. */
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
    completeImages(queryClient, records)
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

/** Whether a record belongs to other views than was told: its board was deleted, or it is a mask. */
const isInOtherViews = (before: ImageRecord | undefined, now: ImageRecord): boolean =>
  before !== undefined &&
  (before.board_id !== now.board_id || before.image_category !== now.image_category)

const notifyInserted = (landings: readonly NewImages[]): void =>
  notifyManager.schedule(() => {
    for (const { onInserted } of landings) onInserted()
  })

/** The images that the server's last count has not in it. */
const addedSinceRefresh = (landings: readonly QueuedImages[]): ReadonlySet<string> =>
  new Set(
    landings.filter(({ addedAt }) => addedAt > refreshedAt).flatMap(({ imageNames }) => imageNames),
  )

/** A tab that nobody looks at asks for nothing: it looks again when somebody does. */
async function recordsOf(all: readonly NewImages[]): Promise<ImageRecord[]> {
  if (document.visibilityState === 'hidden') return []
  const sessions = new Set(all.map(({ sessionId }) => sessionId))
  const names = [...new Set(all.flatMap(({ imageNames }) => imageNames))]
  const known = knownImages(names)
  const unknown = names.filter((name) => provisional.has(name) || !known.has(name))
  if (unknown.length === 0) return []
  try {
    const records = await gallery.images.getMany(unknown)
    // What a node took out of its cache was made by an earlier session, and has been counted then.
    return records.filter(
      ({ session_id, is_intermediate }) =>
        !is_intermediate && session_id !== null && sessions.has(session_id),
    )
  } catch {
    // No answer: they come with all the rest when the server is asked again.
    return []
  }
}

/** Where something unknown moves in, nobody looks: it is asked for with all the rest, not each time. */
function show(records: readonly ImageRecord[]): void {
  if (records.length === 0) return
  rememberNewImages(records)
  const edits = new Edits(queryClient)
  for (const { view, windows } of cachedViews(queryClient)) {
    const own = records.filter((record) => isOf(view, record))
    const landed = own.length > 0 && isNewestFirst(view) ? withNewImages(view, windows, own) : null
    if (landed === null) continue
    const more = (landed.get(0)?.total ?? 0) - (windows.get(0)?.total ?? 0)
    for (const [index, window] of landed) edits.set(imageKeys.window(view, index), window)
    const { queryKey } = imageQueries.days(view)
    const days = queryClient.getQueryData(queryKey)
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
