import type {
  DismissedGroup,
  DuplicateMatch,
  DuplicateProgress,
  DuplicatesPage,
  ResolvedGroup,
  ResolveResult,
  UnresolveResult,
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

/** The same while another comparison waits. Pages ask again after less than two seconds. */
const IMPATIENT_MS = 4_000

/** Different bits of the same picture in another size, format or quality. */
const SAME_PICTURE_DISTANCE = 3

/** Differences of 2 % and 10 % between the ratios of two pictures. */
const SAME_RATIO = 28
const NEAR_RATIO = 140

/** Results in memory. Each distance has its own. */
const MAX_KNOWN = 4

const NO_GROUPS: IdGroups = new Uint32Array()

interface Comparison {
  isCanceled: boolean
  /** By the monotonic clock. */
  askedAt: number
  /** null: it waits for its turn, or the fingerprints are being read. */
  grouping: Grouping | null
  /** The groups are null if it was canceled. */
  ended: Promise<{ groups: IdGroups | null } | { failure: unknown }>
  abandon: ReturnType<typeof setTimeout>
}

/** Finds, resolves and dismisses duplicates. */
export class DuplicateService {
  readonly #parts: Parts
  /** The last groups of each likeness. */
  readonly #known = new Map<string, { groups: IdGroups; revision: number }>()
  /** The running comparison and those that wait for their turn, by likeness. */
  readonly #comparisons = new Map<string, Comparison>()
  /** Settles after all comparisons so far. */
  #turn: Promise<unknown> = Promise.resolve()

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
    const ids = groups.flatMap(({ resolve_id }) => resolve_id ?? [])
    if (new Set(ids).size < ids.length)
      throw new Refusal('invalid_duplicates', 'Two groups have the same resolve_id.')
    // The database would store another ID.
    if (!ids.every((id) => id.isWellFormed()))
      throw new Refusal('invalid_duplicates', 'A resolve_id is not valid text.')
    return this.#parts.records.resolve(groups)
  }

  /** Undoes resolved groups. Unknown IDs are ignored. */
  unresolve(resolveIds: readonly string[]): Promise<UnresolveResult> {
    return this.#parts.records.unresolve([...new Set(resolveIds)])
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
    for (const comparison of this.#comparisons.values()) cancel(comparison)
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
    const known = this.#known.get(key)
    if (known?.revision === (await this.#parts.revision()))
      return { groups: known.groups, progress: null }
    const comparison = this.#comparisonOf(key, likeness)
    this.#endAbandoned()
    const timer = Promise.withResolvers<null>()
    const timeout = setTimeout(() => timer.resolve(null), ANSWER_MS)
    const ended = await Promise.race([comparison.ended, timer.promise])
    clearTimeout(timeout)
    if (ended !== null && 'failure' in ended) throw ended.failure
    if (ended?.groups) return { groups: ended.groups, progress: null }
    const progress = comparison.grouping?.progress() ?? { done: 0, total: 0 }
    return { groups: known?.groups ?? NO_GROUPS, progress }
  }

  /** Returns the comparison that runs or waits for this likeness, or begins it. */
  #comparisonOf(key: string, likeness: Likeness): Comparison {
    const active = this.#comparisons.get(key)
    const comparison = active?.isCanceled === false ? active : this.#compare(key, likeness)
    comparison.askedAt = performance.now()
    comparison.abandon.refresh()
    return comparison
  }

  /** While several comparisons wait for each other, ends those for which nobody asks any more. */
  #endAbandoned(): void {
    if (this.#comparisons.size < 2) return
    for (const comparison of this.#comparisons.values())
      if (comparison.askedAt < performance.now() - IMPATIENT_MS) cancel(comparison)
  }

  #compare(key: string, likeness: Likeness): Comparison {
    const comparison: Comparison = {
      ...{ isCanceled: false, askedAt: 0, grouping: null },
      ended: Promise.resolve({ groups: null }),
      abandon: setTimeout(() => cancel(comparison), ABANDONED_MS),
    }
    comparison.abandon.unref()
    const work = async (): Promise<IdGroups | null> => {
      if (comparison.isCanceled) return null
      const { records, grouper, revision: revisionOf } = this.#parts
      const revision = await revisionOf()
      const pictures = await records.pictures()
      const sameBytes = await records.sameBytes()
      if (comparison.isCanceled) return null
      comparison.grouping = grouper.group(pictures, sameBytes, likeness)
      const groups = await comparison.grouping.groups
      if (groups !== null) this.#remember(key, { groups, revision })
      return groups
    }
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    comparison.ended = result
      .then(
        (groups) => ({ groups }),
        (failure: unknown) => (comparison.isCanceled ? { groups: null } : { failure }),
      )
      .finally(() => {
        clearTimeout(comparison.abandon)
        if (this.#comparisons.get(key) === comparison) this.#comparisons.delete(key)
      })
    this.#comparisons.set(key, comparison)
    return comparison
  }

  #remember(key: string, known: { groups: IdGroups; revision: number }): void {
    this.#known.delete(key)
    const [oldest] = this.#known.keys()
    if (this.#known.size >= MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(key, known)
  }
}

const cancel = (comparison: Comparison): void => {
  comparison.isCanceled = true
  comparison.grouping?.cancel()
  clearTimeout(comparison.abandon)
}

/** @throws {Refusal} `invalid_duplicates`, `too_many_names`. */
const assertGroups = (groups: readonly (readonly string[])[]): void => {
  assertNamesFit(...groups)
  for (const names of groups)
    if (new Set(names).size < 2)
      throw new Refusal('invalid_duplicates', 'A group needs two different images.')
}
