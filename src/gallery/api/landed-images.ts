import { notifyManager } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import { refreshInSight } from './after-changes.ts'
import { boardCache } from './board-queries.ts'
import { Edits } from './cache-edits.ts'
import { gallery, queryClient } from './connection.ts'
import { cachedViews, imageKeys } from './image-cache.ts'
import { knownImages } from './known-images.ts'
import { isNewestFirst, isOf, withLanded } from './landed-windows.ts'

/** Images that come so close together are asked for in one request, in milliseconds. */
const GATHER_MS = 100

/** While they keep coming, requests are so far apart, in milliseconds; */
const APART_MS = 3_000

/** after the first few, which go at once. */
const AT_ONCE = 5

/** The server is asked how everything stands when no more come for so long, in milliseconds. */
const SETTLE_MS = 1_500

/** And at the latest so long after the last time, in milliseconds. */
const SETTLE_APART_MS = 10_000

/** Images of one session that a node has just saved. */
interface Landing {
  readonly sessionId: string
  readonly imageNames: readonly string[]
  /** They are in the views. Called while these are changed, so that both are drawn at once. */
  readonly onLanded: () => void
}

let landings: (Landing & { readonly toldAt: number })[] = []
/** When the next request may go if those before it had all been {@link APART_MS} apart. */
let paidUntil = Number.NEGATIVE_INFINITY
let settleTimer: ReturnType<typeof setTimeout> | undefined
let settledAt = Number.NEGATIVE_INFINITY

/** Brings new images into the views and counts that they belong to, without asking for these again. */
export function imagesLanded(landing: Landing): void {
  const waitMs = Math.max(GATHER_MS, paidUntil - AT_ONCE * APART_MS - performance.now())
  if (landings.push({ ...landing, toldAt: performance.now() }) === 1)
    setTimeout(() => void land(), waitMs)
}

/** Nothing more is being made: what is shown is compared with the server soon. */
export function landingsEnded(): void {
  if (settleTimer === undefined) return
  clearTimeout(settleTimer)
  settleTimer = setTimeout(settle, SETTLE_MS)
}

async function land(): Promise<void> {
  const now = landings
  landings = []
  paidUntil = Math.max(performance.now(), paidUntil) + APART_MS
  const records = await recordsOf(now)
  notifyManager.batch(() => {
    show(records)
    // What was told of before the server was asked is in its answer.
    const told = now.filter(({ toldAt }) => toldAt > settledAt)
    const names = new Set(told.flatMap(({ imageNames }) => imageNames))
    count(records.filter(({ image_name }) => names.has(image_name)))
    notifyManager.schedule(() => {
      for (const { onLanded } of now) onLanded()
    })
  })
  settleLater()
}

/** A tab that nobody looks at asks for nothing: it looks again when somebody does. */
async function recordsOf(all: readonly Landing[]): Promise<ImageRecord[]> {
  if (document.visibilityState === 'hidden') return []
  const sessions = new Set(all.map(({ sessionId }) => sessionId))
  const names = [...new Set(all.flatMap(({ imageNames }) => imageNames))]
  const known = knownImages(names)
  const unknown = names.filter((name) => !known.has(name))
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
  const edits = new Edits(queryClient)
  for (const { view, windows } of cachedViews(queryClient)) {
    const own = records.filter((record) => isOf(view, record))
    const landed = own.length > 0 && isNewestFirst(view) ? withLanded(view, windows, own) : null
    for (const [index, window] of landed ?? []) edits.set(imageKeys.window(view, index), window)
  }
}

function count(records: readonly ImageRecord[]): void {
  if (records.length === 0) return
  const counts = Map.groupBy(records, ({ board_id }) => board_id ?? 'none')
  const edit = boardCache.edit({ counts: new Map([...counts].map(([id, of]) => [id, of.length])) })
  edit.settle()
}

function settleLater(): void {
  const waitMs = Math.max(SETTLE_MS, settledAt + SETTLE_APART_MS - performance.now())
  settleTimer ??= setTimeout(settle, waitMs)
}

function settle(): void {
  settleTimer = undefined
  settledAt = performance.now()
  refreshInSight()
}
