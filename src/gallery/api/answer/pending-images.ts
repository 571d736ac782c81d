import { hashKey } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import type { Clock } from '#gallery/api/clock.ts'
import {
  changedRecord,
  type ImageView,
  type ImageWindow,
} from '#gallery/api/images/image-windows.ts'
import {
  correctAnswer,
  type PendingChange,
  positionsOfWindow,
  type WindowAnswer,
} from './correct-answer.ts'
import { RemovalPositions } from './removal-positions.ts'

/** A pending removal: the page hides images in some views, and the server still has them there. */
export interface PendingRemoval {
  readonly names: ReadonlySet<string>
  readonly fromViews: (view: ImageView) => boolean
  /**
   * True if no answer of these views can be shown until this ends: the names of the images are not known yet, or the
   * server is restoring the images.
   */
  readonly blocksAnswers: boolean
}

/** The end of a pending change: the server has confirmed it, or it is rolled back. */
export type PendingEnd = 'confirmed' | 'rolled back'

/** The pending removals of one view, and its windows that were requested meanwhile. */
interface ViewRemovals {
  readonly view: ImageView
  readonly positions: RemovalPositions
  readonly asked: Set<number>
}

type FetchPart = (part: {
  readonly offset: number
  readonly limit: number
}) => Promise<{ readonly items: readonly ImageRecord[]; readonly total: number }>

/** The maximum number of requests per window. Pending removals inside the window can require several. */
const MAX_REQUESTS = 4

/** Records per answer. A longer run of pending removals is skipped by the next request. */
const MAX_RECORDS = 1000

/** New images are remembered for this long, in milliseconds. Slower answers are not corrected by them. */
const REMEMBER_MS = 30_000

/**
 * The images that the page shows differently than the server: pending removals and changes, and images that were added
 * a moment ago. All answers are corrected by them (`correctAnswer`).
 */
export class PendingImages {
  readonly #clock: Clock
  /** With a promise that resolves when the removal ends. */
  readonly #removals = new Map<PendingRemoval, PromiseWithResolvers<void>>()
  readonly #changes = new Set<PendingChange>()
  /** For each active window request: the changes that its answer may not contain. */
  readonly #changesSinceAsked = new Set<Set<PendingChange>>()
  /** For each active request of names: the removals that its answer may not contain. */
  readonly #removalsSinceAsked = new Set<Set<PendingRemoval>>()
  readonly #viewRemovals = new Map<string, ViewRemovals>()
  #newImages: { readonly record: ImageRecord; readonly at: number }[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Starts a pending change of records.
   *
   * @returns A function that ends it. A confirmed change still applies to requests that are already active, because the
   *   server may have read their data before the change.
   */
  startChange(pending: PendingChange): (end: PendingEnd) => void {
    this.#changes.add(pending)
    for (const changes of this.#changesSinceAsked) changes.add(pending)
    return (end) => {
      this.#changes.delete(pending)
      if (end === 'rolled back')
        for (const changes of this.#changesSinceAsked) changes.delete(pending)
      else {
        this.#newImages = this.#newImages.map(({ record, at }) => {
          return { record: withChange(record, pending), at }
        })
      }
    }
  }

  /** Starts a pending removal. The caller adds the positions of the images to {@link positionsOf}. */
  startRemoval(pending: PendingRemoval): void {
    this.#removals.set(pending, Promise.withResolvers())
    for (const removals of this.#removalsSinceAsked) removals.add(pending)
  }

  /** Ends a pending removal. Returns the windows to refetch: those that were requested meanwhile. */
  endRemoval(pending: PendingRemoval, end: PendingEnd): { view: ImageView; index: number }[] {
    this.#removals.get(pending)?.resolve()
    this.#removals.delete(pending)
    if (end === 'rolled back') {
      for (const removals of this.#removalsSinceAsked) removals.delete(pending)
    }
    // The server has moved or deleted them, so only its answers say where they are.
    if (end === 'confirmed') {
      this.#newImages = this.#newImages.filter(({ record }) => !pending.names.has(nameOf(record)))
    }
    const asked: { view: ImageView; index: number }[] = []
    for (const removals of this.#viewRemovals.values()) {
      if (!pending.fromViews(removals.view)) continue
      const names = this.#hasRemovals(removals.view)
        ? without(pending.names, this.#isRemovedFrom(removals.view))
        : pending.names
      if (end === 'confirmed') removals.positions.confirm(names)
      else removals.positions.forget(names)
      for (const index of removals.asked) asked.push({ view: removals.view, index })
      removals.asked.clear()
    }
    return asked
  }

  /** Returns true for an image that was added a moment ago. */
  isNew(imageName: string): boolean {
    return this.#newImages.some(({ record }) => nameOf(record) === imageName)
  }

  /** Remembers new images with the changes that are made to them from now on. */
  rememberNewImages(records: readonly ImageRecord[]): void {
    const now = this.#clock.elapsed()
    const names = new Set(records.map(nameOf))
    const recent = this.#newImages.filter(
      ({ record, at }) => now - at < REMEMBER_MS && !names.has(nameOf(record)),
    )
    this.#newImages = [...recent, ...records.map((record) => ({ record, at: now }))]
  }

  /** Returns the remembered new images that may be inserted into a view, with their pending changes. */
  newImagesFor(view: ImageView, sinceMs = Number.NEGATIVE_INFINITY): ImageRecord[] {
    const isRemoved = this.#isRemovedFrom(view)
    return this.#newImages
      .filter(({ record, at }) => at >= sinceMs && !isRemoved(nameOf(record)))
      .map(({ record }) => this.withChanges(record))
  }

  /** Returns a record with its pending changes. */
  withChanges(record: ImageRecord): ImageRecord {
    return [...this.#changes].reduce(withChange, record)
  }

  positionsOf(view: ImageView): RemovalPositions {
    return this.#viewRemovalsOf(view).positions
  }

  /**
   * Fetches the names of a view and leaves out those with a pending removal. A removal that the server confirms
   * meanwhile counts too, because the server may have read the names before.
   */
  async fetchNames(
    view: ImageView,
    ask: () => Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    const removals = new Set(this.#removals.keys())
    this.#removalsSinceAsked.add(removals)
    try {
      const names = await ask()
      const isRemoved = isInRemoval(removals, view)
      return names.filter((name) => !isRemoved(name))
    } finally {
      this.#removalsSinceAsked.delete(removals)
    }
  }

  /**
   * Fetches a window and corrects the answer.
   *
   * @param ask - Requests a part of the view from the server, without corrections.
   */
  async fetchWindow(view: ImageView, index: number, ask: FetchPart): Promise<ImageWindow> {
    const askedAt = this.#clock.elapsed()
    const changes = new Set(this.#changes)
    this.#changesSinceAsked.add(changes)
    try {
      const answer = await this.#fetchAnswer(view, index, ask)
      return correctAnswer(answer, {
        removals: this.positionsOf(view),
        changes,
        newImages: this.newImagesFor(view, askedAt),
      })
    } finally {
      this.#changesSinceAsked.delete(changes)
    }
  }

  /** Fetches the records that a window shows after its pending removals. Usually this needs one request. */
  async #fetchAnswer(view: ImageView, index: number, ask: FetchPart): Promise<WindowAnswer> {
    const shown = positionsOfWindow(index)
    const { positions, asked } = this.#viewRemovalsOf(view)
    const records = new Map<number, ImageRecord>()
    let total = Number.POSITIVE_INFINITY
    await this.#untilUnblocked(view)
    for (let questions = 0; questions < MAX_REQUESTS; questions += 1) {
      const missing = positions.onServer(shown).filter((at) => at < total && !records.has(at))
      const offset = missing[0]
      if (offset === undefined) break
      if (this.#hasRemovals(view)) asked.add(index)
      const { version } = positions
      const limit = Math.min(MAX_RECORDS, (missing.at(-1) ?? offset) - offset + 1)
      const { items, ...answer } = await ask({ offset, limit })
      await this.#untilUnblocked(view)
      if (this.#hasRemovals(view)) asked.add(index)
      total = answer.total
      if (positions.version === version) {
        positions.learn({ offset, names: items.map(nameOf) }, this.#isRemovedFrom(view))
        for (const [at, record] of items.entries()) records.set(offset + at, record)
      } else {
        // The server applied a removal meanwhile, so positions in earlier answers are outdated.
        records.clear()
      }
    }
    return { view, index, records, total }
  }

  #viewRemovalsOf(view: ImageView): ViewRemovals {
    const key = hashKey([view])
    const known = this.#viewRemovals.get(key)
    if (known) return known
    const removals = { view, positions: new RemovalPositions(), asked: new Set<number>() }
    this.#viewRemovals.set(key, removals)
    return removals
  }

  #hasRemovals(view: ImageView): boolean {
    return [...this.#removals.keys()].some(({ fromViews }) => fromViews(view))
  }

  #isRemovedFrom(view: ImageView): (name: string) => boolean {
    return isInRemoval(this.#removals.keys(), view)
  }

  /** Resolves when answers of a view can be shown. */
  async #untilUnblocked(view: ImageView): Promise<void> {
    for (;;) {
      const blocks = ([one]: [PendingRemoval, unknown]) => one.blocksAnswers && one.fromViews(view)
      const blocking = [...this.#removals].find(blocks)
      if (blocking === undefined) return
      await blocking[1].promise
    }
  }
}

const isInRemoval = (removals: Iterable<PendingRemoval>, view: ImageView) => {
  const sets = [...removals].flatMap(({ names, fromViews }) => (fromViews(view) ? [names] : []))
  return (name: string): boolean => sets.some((names) => names.has(name))
}

const without = (names: ReadonlySet<string>, isStaying: (name: string) => boolean) =>
  new Set([...names].filter((name) => !isStaying(name)))

const withChange = (record: ImageRecord, { names, change }: PendingChange): ImageRecord =>
  names.has(record.image_name) ? changedRecord(record, change) : record

const nameOf = ({ image_name }: ImageRecord): string => image_name
