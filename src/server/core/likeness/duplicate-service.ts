import type {
  DismissedGroup,
  DuplicateMatch,
  DuplicateProgress,
  DuplicatesPage,
  ResolvedGroup,
  ResolveResult,
} from '#contract/likeness/duplicates.ts'
import { assertNamesFit, type View } from '#server/core/images/image-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { DuplicateRecords, Grouping, IdGroups, PictureGrouper } from './duplicate-ports.ts'
import type { Likeness } from './group-alike.ts'

interface Parts {
  records: DuplicateRecords
  /** Changes with every change of a record. */
  revision: () => Promise<number>
  grouper: PictureGrouper
}

/** How long a request waits for a comparison before it answers with its progress. */
const ANSWER_MS = 800

/** A comparison ends if nobody asks for it in this time. */
const ABANDONED_MS = 10_000

/** Different bits of the same picture in another size, format or quality. */
const SAME_PICTURE_DISTANCE = 3

/** Differences of 2 % and 10 % between the ratios of two pictures. */
const SAME_RATIO = 28
const NEAR_RATIO = 140

/** Results in memory. Each distance has its own. */
const MAX_KNOWN = 4

const NO_GROUPS: IdGroups = new Uint32Array()

interface Comparison {
  key: string
  isCanceled: boolean
  /** null: the fingerprints are still being read. */
  grouping: Grouping | null
  /** The reason of a failure, or null. */
  ended: Promise<{ failure: unknown }>
  abandon: ReturnType<typeof setTimeout>
}

/** Finds, resolves and dismisses duplicates. */
export class DuplicateService {
  readonly #parts: Parts
  /** The last groups of each likeness. */
  readonly #known = new Map<string, { groups: IdGroups; revision: number }>()
  #running: Comparison | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async list(
    view: View,
    {
      match,
      distance,
      ...window
    }: { match: DuplicateMatch; distance: number; offset: number; limit: number },
  ): Promise<DuplicatesPage> {
    const { groups, progress } = await (match === 'bytes'
      ? this.#sameBytes()
      : this.#alike(
          match === 'picture'
            ? { distance: SAME_PICTURE_DISTANCE, ratio: SAME_RATIO }
            : { distance, ratio: NEAR_RATIO },
        ))
    return { ...window, ...(await this.#parts.records.page(view, groups, window)), progress }
  }

  /**
   * Keeps one image of each group and moves the others to the trash.
   *
   * @throws {Refusal} `invalid_duplicates`, `too_many_names`. Nothing was changed.
   */
  async resolve(groups: readonly ResolvedGroup[]): Promise<ResolveResult> {
    const names = groups.map(({ keep, image_names }) => [keep, ...image_names])
    assertGroups(names)
    if (new Set(names.flat()).size < names.flat().length)
      throw new Refusal('invalid_duplicates', 'An image is in the groups twice.')
    return this.#parts.records.resolve(groups)
  }

  /** @throws {Refusal} `invalid_duplicates`, `too_many_names`. Nothing was changed. */
  async dismiss(groups: readonly DismissedGroup[]): Promise<void> {
    assertGroups(groups.map(({ image_names }) => image_names))
    await this.#parts.records.dismiss(groups)
  }

  /** @throws {Refusal} `invalid_duplicates`, `too_many_names`. Nothing was changed. */
  async undismiss(groups: readonly DismissedGroup[]): Promise<void> {
    assertGroups(groups.map(({ image_names }) => image_names))
    await this.#parts.records.undismiss(groups)
  }

  async close(): Promise<void> {
    this.#cancel()
    await this.#parts.grouper.close()
  }

  async #sameBytes(): Promise<{ groups: IdGroups; progress: null }> {
    return { groups: await this.#parts.records.sameBytes(), progress: null }
  }

  /** Returns the groups of this state of the library, or else the last ones and the progress of the comparison. */
  async #alike(
    likeness: Likeness,
  ): Promise<{ groups: IdGroups; progress: DuplicateProgress | null }> {
    const key = JSON.stringify(likeness)
    const revision = await this.#parts.revision()
    if (this.#known.get(key)?.revision !== revision) {
      if (this.#running?.key !== key) {
        this.#cancel()
        this.#running = this.#compare(key, likeness, revision)
      }
      const running = this.#running
      running.abandon.refresh()
      const timer = Promise.withResolvers<void>()
      const timeout = setTimeout(timer.resolve, ANSWER_MS)
      const ended = await Promise.race([running.ended, timer.promise])
      clearTimeout(timeout)
      if (ended && ended.failure !== null) throw ended.failure
      if (this.#running === running) {
        const progress = running.grouping?.progress() ?? { done: 0, total: 0 }
        return { groups: this.#known.get(key)?.groups ?? NO_GROUPS, progress }
      }
    }
    const known = this.#known.get(key)
    // Canceled by a request for another likeness.
    if (known === undefined) return { groups: NO_GROUPS, progress: { done: 0, total: 0 } }
    return { groups: known.groups, progress: null }
  }

  #compare(key: string, likeness: Likeness, revision: number): Comparison {
    const comparison: Comparison = {
      ...{ key, isCanceled: false, grouping: null },
      ended: Promise.resolve({ failure: null }),
      abandon: setTimeout(() => {
        if (this.#running === comparison) this.#cancel()
      }, ABANDONED_MS),
    }
    comparison.abandon.unref()
    const work = async () => {
      const { records, grouper } = this.#parts
      const pictures = await records.pictures()
      const sameBytes = await records.sameBytes()
      if (comparison.isCanceled) return
      comparison.grouping = grouper.group(pictures, sameBytes, likeness)
      const groups = await comparison.grouping.groups
      if (groups === null) return
      if (this.#known.size >= MAX_KNOWN) this.#known.clear()
      this.#known.set(key, { groups, revision })
    }
    comparison.ended = work()
      .then(
        () => ({ failure: null }),
        (failure: unknown) => ({ failure: comparison.isCanceled ? null : failure }),
      )
      .finally(() => {
        clearTimeout(comparison.abandon)
        if (this.#running === comparison) this.#running = null
      })
    return comparison
  }

  #cancel(): void {
    if (this.#running === null) return
    this.#running.isCanceled = true
    this.#running.grouping?.cancel()
    clearTimeout(this.#running.abandon)
    this.#running = null
  }
}

/** @throws {Refusal} `invalid_duplicates`, `too_many_names`. */
const assertGroups = (groups: readonly (readonly string[])[]): void => {
  assertNamesFit(...groups)
  for (const names of groups)
    if (new Set(names).size < 2)
      throw new Refusal('invalid_duplicates', 'A group needs two different images.')
}
