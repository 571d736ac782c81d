import { notifyManager, type QueryClient } from '@tanstack/react-query'
import type { TesseraClient } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import { isNewestFirst, isOf, withNewImages } from '#gallery/api/answer/new-image-windows.ts'
import type { PendingImages } from '#gallery/api/answer/pending-images.ts'
import type { BoardCache } from '#gallery/api/boards/board-cache.ts'
import { type Clock, gathered, Timer } from '#gallery/api/clock.ts'
import { Edits } from './cache-edits.ts'
import { type ImageCache, imageKeys } from './image-cache.ts'
import type { ImageQueries } from './image-queries.ts'
import { knownImages } from './known-images.ts'
import { localDay, withNewImagesToday } from './new-image-days.ts'

/** New images within this time are inserted together, in milliseconds. */
const GATHER_MS = 100

/** The minimum time between requests for their records, in milliseconds. */
const REQUEST_GAP_MS = 3_000

/** Requests that may be sent at once before {@link REQUEST_GAP_MS} applies. */
const REQUEST_BURST = 5

/** The delay between the latest records and a refresh of all views, in milliseconds. */
const REFRESH_MS = 1_500

/** The minimum time between two refreshes while images are generated, in milliseconds. */
const MAX_REFRESH_GAP_MS = 10_000

/** The minimum time between insertions of uploaded images, in milliseconds. Large uploads must not block the page. */
const UPLOAD_GATHER_MS = 1_000

/** The minimum time between refreshes while files are uploaded, in milliseconds. Uploaded images are not counted. */
const UPLOAD_REFRESH_GAP_MS = 4_000

/** Images of one queue session that a node has just saved. */
interface GeneratedImages {
  readonly sessionId: string
  readonly imageNames: readonly string[]
  /** Provisional records from the event. Empty if the real records must be loaded before the images can be shown. */
  readonly records: readonly ImageRecord[]
  /** Called in the batch that inserts the images into the views, so that both changes are rendered together. */
  readonly onInserted: () => void
}

type QueuedImages = GeneratedImages & { readonly addedAt: number }

interface NewImagesApi {
  readonly client: { readonly images: Pick<TesseraClient['images'], 'getMany'> }
  readonly queryClient: QueryClient
  readonly clock: Clock
  readonly pending: Pick<PendingImages, 'rememberNewImages' | 'newImagesFor' | 'isNew'>
  readonly imageCache: Pick<ImageCache, 'complete' | 'views'>
  readonly imageQueries: Pick<ImageQueries, 'days'>
  readonly boardCache: Pick<BoardCache, 'edit'>
  readonly tabs: { notify(): void }
  readonly refresh: { inSight(): void }
  /** True if the server lists changes: the page then gets the records of new images without asking for them. */
  readonly hearsOfChanges: () => boolean
}

/** Shows new images in the cached views and counts as soon as they exist. */
export class NewImages {
  readonly #api: NewImagesApi
  readonly #refreshTimer: Timer
  readonly #showSoon: (images: QueuedImages) => void
  readonly #showUploadedSoon: (imageName: string) => void
  readonly #confirmSoon: (images: readonly QueuedImages[]) => void
  /** True if images were uploaded since the last refresh, which other tabs do not know. */
  #mustNotifyTabs = false
  /** Provisional records by image name, until the real ones are loaded. */
  readonly #provisional = new Map<string, ImageRecord>()
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor(api: NewImagesApi) {
    const { clock } = api
    this.#api = api
    this.#refreshTimer = new Timer(clock)
    this.#showSoon = gathered(clock, (queued) => this.#showQueued(queued), { gapMs: GATHER_MS })
    this.#showUploadedSoon = gathered(
      clock,
      (names) => notifyManager.batch(() => this.#show(new Set(names))),
      { gapMs: UPLOAD_GATHER_MS },
    )
    const confirm = (parts: (readonly QueuedImages[])[]) => void this.#confirmRecords(parts.flat())
    this.#confirmSoon = gathered(clock, confirm, { gapMs: REQUEST_GAP_MS, burst: REQUEST_BURST })
  }

  /** Inserts new images into the cached views and counts, without refetching them. */
  insertGenerated(images: GeneratedImages): void {
    this.#showSoon({ ...images, addedAt: this.#api.clock.elapsed() })
  }

  /** Inserts an uploaded image into the cached views. The next refresh counts it. */
  insertUploaded(image: ImageRecord): void {
    // The user may change it before it is inserted: a refresh can show it first.
    this.#api.pending.rememberNewImages([image])
    this.#mustNotifyTabs = true
    this.#showUploadedSoon(image.image_name)
    this.#refreshLater(UPLOAD_REFRESH_GAP_MS)
  }

  /** Inserts images that other clients added into the cached views. The caller refreshes counts. */
  insertOfOthers(records: readonly ImageRecord[]): void {
    const shown = records.filter((record) => !record.is_intermediate && record.deleted_at === null)
    notifyManager.batch(() => this.#insert(shown))
  }

  /** Refreshes all views now, because no more uploads follow. */
  refreshAfterUploads(): void {
    if (this.#mustNotifyTabs) this.#refreshNow()
  }

  /** Refreshes all views soon, because the queue is empty and no more images follow. */
  refreshAfterLast(): void {
    if (this.#refreshTimer.isActive)
      this.#refreshTimer.restart(REFRESH_MS, () => this.#refreshNow())
  }

  /** Inserts provisional records at once. The real ones follow with the changes of the server, or by a request. */
  #showQueued(now: readonly QueuedImages[]): void {
    const records = now.flatMap((images) => images.records)
    const isHeard = this.#api.hearsOfChanges()
    const unconfirmed = isHeard ? now.filter((images) => images.records.length === 0) : now
    if (!isHeard) for (const record of records) this.#provisional.set(record.image_name, record)
    const uncounted = this.#uncounted(now)
    notifyManager.batch(() => {
      this.#insert(records)
      this.#count(uncounted, records)
      notifyInserted(now.filter((images) => images.records.length > 0))
    })
    if (unconfirmed.length > 0) this.#confirmSoon(unconfirmed)
  }

  async #confirmRecords(now: readonly QueuedImages[]): Promise<void> {
    const records = await this.#recordsOf(now)
    const unshown = now.filter((images) => images.records.length === 0)
    const uncounted = this.#uncounted(unshown)
    notifyManager.batch(() => {
      this.#api.imageCache.complete(records)
      this.#insert(records)
      this.#count(uncounted, records)
      notifyInserted(unshown)
    })
    const isElsewhere = records.some((record) =>
      isInOtherViews(this.#provisional.get(record.image_name), record),
    )
    for (const { imageNames } of now) for (const name of imageNames) this.#provisional.delete(name)
    if (isElsewhere) this.#refreshNow()
    else if (!this.#api.hearsOfChanges()) this.#refreshLater(MAX_REFRESH_GAP_MS)
  }

  /**
   * Returns the images that the cached counts do not contain: those that were added after the last refresh. An image that
   * the server has listed as a change before is counted by the request that follows each change.
   */
  readonly #uncounted = (queued: readonly QueuedImages[]): ReadonlySet<string> =>
    new Set(
      queued
        .filter(({ addedAt }) => addedAt > this.#refreshedAt)
        .flatMap(({ imageNames }) => imageNames)
        .filter((name) => !this.#api.pending.isNew(name)),
    )

  /** Requests the records of new images. A hidden tab requests none: it refetches its views when it becomes visible. */
  async #recordsOf(all: readonly GeneratedImages[]): Promise<ImageRecord[]> {
    if (document.visibilityState === 'hidden') return []
    const sessions = new Set(all.map(({ sessionId }) => sessionId))
    const names = [...new Set(all.flatMap(({ imageNames }) => imageNames))]
    const known = knownImages(this.#api.queryClient, names)
    const unknown = names.filter((name) => this.#provisional.has(name) || !known.has(name))
    if (unknown.length === 0) return []
    try {
      const records = await this.#api.client.images.getMany(unknown)
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

  #insert(records: readonly ImageRecord[]): void {
    this.#api.pending.rememberNewImages(records)
    this.#show(new Set(records.map(({ image_name }) => image_name)))
  }

  /** Inserts remembered images into the cached views. The next refresh fills the holes that this leaves. */
  #show(names: ReadonlySet<string>): void {
    if (names.size === 0) return
    const edits = new Edits(this.#api.queryClient)
    for (const { view, windows } of this.#api.imageCache.views()) {
      const own = this.#api.pending
        .newImagesFor(view)
        .filter((record) => names.has(record.image_name) && isOf(view, record))
      const changed =
        own.length > 0 && isNewestFirst(view) ? withNewImages(view, windows, own) : null
      if (changed === null) continue
      const more = (changed.get(0)?.total ?? 0) - (windows.get(0)?.total ?? 0)
      for (const [index, window] of changed) edits.set(imageKeys.window(view, index), window)
      const { queryKey } = this.#api.imageQueries.days(view)
      const days = this.#api.queryClient.getQueryData(queryKey)
      if (days) edits.set(queryKey, withNewImagesToday(days, more, localDay(new Date())))
    }
  }

  #count(names: ReadonlySet<string>, records: readonly ImageRecord[]): void {
    const fresh = records.filter(({ image_name }) => names.has(image_name))
    if (fresh.length === 0) return
    const counts = Map.groupBy(fresh, ({ board_id }) => board_id ?? 'none')
    const edit = this.#api.boardCache.edit({
      counts: new Map([...counts].map(([id, of]) => [id, of.length])),
    })
    edit.settle()
  }

  #refreshLater(gapMs: number): void {
    const waitMs = Math.max(REFRESH_MS, this.#refreshedAt + gapMs - this.#api.clock.elapsed())
    this.#refreshTimer.start(waitMs, () => this.#refreshNow())
  }

  #refreshNow(): void {
    this.#refreshTimer.stop()
    this.#refreshedAt = this.#api.clock.elapsed()
    if (this.#mustNotifyTabs) this.#api.tabs.notify()
    this.#mustNotifyTabs = false
    this.#api.refresh.inSight()
  }
}

/** True if the real record belongs to other views than the provisional one: its board was deleted, or it is a mask. */
const isInOtherViews = (before: ImageRecord | undefined, now: ImageRecord): boolean =>
  before !== undefined &&
  (before.board_id !== now.board_id || before.image_category !== now.image_category)

const notifyInserted = (inserted: readonly GeneratedImages[]): void =>
  notifyManager.schedule(() => {
    for (const { onInserted } of inserted) onInserted()
  })
