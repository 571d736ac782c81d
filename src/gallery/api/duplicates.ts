import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import type { DuplicateGroup, DuplicatesPage, DuplicateView, TesseraClient } from '#client/index.ts'
import { MAX_DUPLICATE_GROUPS } from '#contract/limits.ts'
import { localClock, withMoments } from '#contract/search/with-moments.ts'
import { randomId } from '#gallery/api/connection/connection.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import type { DuplicatesAction } from '#gallery/api/journal/journal-state.ts'
import type { Runner } from '#gallery/api/journal/journal-types.ts'
import type { DuplicatesRecipe } from '#gallery/api/journal/recipe.ts'
import { notAsLeft } from '#gallery/api/outbox/not-as-left.ts'
import type { Outbox } from '#gallery/api/outbox/outbox.ts'
import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'
import { isOfDuplicates, targetsOf } from '#gallery/api/outbox/outbox-state.ts'
import type { Refresh } from '#gallery/api/refresh.ts'
import { type ChangedGroup, groupOf, targetOf } from './duplicate-requests.ts'
import { DUPLICATES_KEY } from './duplicates-key.ts'

export type { DuplicateGroup, DuplicateMatch, DuplicateView, KeepReason } from '#client/index.ts'

/** Groups per request of the list. */
const PAGE_SIZE = 50

/** The time between requests while the server compares, in milliseconds. It stops if no request comes for ten seconds. */
const LOOK_MS = 1_000

interface DuplicatesApi {
  readonly client: Pick<TesseraClient, 'duplicates' | 'images'>
  readonly queryClient: QueryClient
  readonly journal: Pick<Journal, 'add' | 'confirm' | 'describe' | 'forget' | 'undo'>
  readonly outbox: Pick<Outbox, 'worker'>
  readonly refresh: Pick<Refresh, 'after'>
}

/** The groups that are loaded, and what is known of all of them. */
type Loaded = InfiniteData<DuplicatesPage, number>

type Undo = () => void

/** A group with the image that the user keeps. */
export interface KeptOfGroup {
  readonly group: DuplicateGroup
  readonly keep: string
}

/** The outcome of an action on groups. */
export interface ChangedGroups {
  /** The images that are in the trash now. */
  readonly trashedCount: number
  /** The groups that were refused, with the reason of the first one. */
  readonly refusedCount: number
  readonly reason: string | undefined
  /** False if the user has undone the action before the answer. */
  readonly isCurrent: boolean
  readonly undo: Undo
}

/** The groups of a view are not known yet. */
export class ComparingError extends Error {
  override readonly name = 'ComparingError'

  constructor() {
    super('Tessera is comparing the images again. Try again when it has finished.')
  }
}

export const namesIn = ({ images }: DuplicateGroup): string[] =>
  images.map(({ image_name }) => image_name)

/** Identifies a group while images are starred, added or removed. An image is in one group only. */
export const keyOfGroup = (group: DuplicateGroup): string => namesIn(group).toSorted()[0] ?? ''

/** The groups of duplicates. What the user does with them is shown at once, and sent by the outbox. */
export class Duplicates {
  readonly #api: DuplicatesApi

  constructor(api: DuplicatesApi) {
    this.#api = api
  }

  /** The groups of a view, in pages. It asks again while the server compares. */
  groups(view: DuplicateView) {
    return infiniteQueryOptions({
      queryKey: [...DUPLICATES_KEY, view] as const,
      queryFn: async ({ pageParam, signal }) => {
        const window = { offset: pageParam, limit: PAGE_SIZE }
        const page = await this.#api.client.duplicates.list(withClock(view), window, { signal })
        const [shown] = withoutGroups([page], this.#pendingNames())
        return shown ?? page
      },
      initialPageParam: 0,
      getNextPageParam: ({ items, total }, pages) => {
        const loaded = pages.reduce((sum, page) => sum + page.items.length, 0)
        return items.length > 0 && loaded < total ? loaded : undefined
      },
      refetchInterval: ({ state }) => (state.data?.pages[0]?.progress ? LOOK_MS : false),
      staleTime: 0,
      gcTime: 60_000,
    })
  }

  /**
   * Returns all groups of a view, without those that are being resolved or dismissed.
   *
   * @throws {ComparingError} The server is still comparing. The list asks until it has finished.
   */
  async all(view: DuplicateView): Promise<DuplicateGroup[]> {
    const groups: DuplicateGroup[] = []
    for (;;) {
      const { items, total, progress } = await this.#api.client.duplicates.list(withClock(view), {
        offset: groups.length,
        limit: MAX_DUPLICATE_GROUPS,
      })
      if (progress !== null) {
        void this.#api.queryClient.invalidateQueries({ queryKey: DUPLICATES_KEY })
        throw new ComparingError()
      }
      groups.push(...items)
      if (items.length === 0 || groups.length >= total) break
    }
    const pending = this.#pendingNames()
    return groups.filter((group) => !hasOneOf(group, pending))
  }

  /** Keeps one image of each group and moves the others to the trash, as one action. Returns when it is done. */
  resolve(kept: readonly KeptOfGroup[]): Promise<ChangedGroups> {
    const groups = kept.map(({ group, keep }) => ({
      id: randomId(),
      names: [keep, ...namesIn(group).filter((name) => name !== keep)],
    }))
    return this.#change({ kind: 'duplicates', change: 'resolved', groups })
  }

  /** Remembers that the images of some groups are not duplicates. Returns when it is done. */
  dismiss(dismissed: readonly DuplicateGroup[]): Promise<ChangedGroups> {
    const groups = dismissed.map((group) => ({ id: '', names: namesIn(group).toSorted() }))
    return this.#change({ kind: 'duplicates', change: 'dismissed', groups })
  }

  /** Returns the Undo and the Redo of an action. They leave images that no longer exist. */
  runnerOf(recipe: DuplicatesRecipe): Runner {
    return { undo: () => this.#undo(recipe), redo: () => this.#redo(recipe) }
  }

  async #change(recipe: DuplicatesRecipe): Promise<ChangedGroups> {
    const { journal } = this.#api
    this.#hide(new Set(recipe.groups.flatMap(({ names }) => names)))
    let isCurrent = true
    let known = recipe
    const sent = this.#send(recipe, true)
    const entry = journal.add(entryOf(recipe, countOthers(recipe)), () => {
      isCurrent = false
      return this.#undo(known)
    })
    const { changed, failed } = await sent
    const refused = new Set(failed.map(({ name }) => name))
    const done = recipe.groups.filter((group) => !refused.has(targetOf(group)))
    const groups = recipe.change === 'dismissed' ? done : withOnly(done, new Set(changed))
    if (groups.length > 0) {
      known = { ...recipe, groups }
      journal.describe(entry, entryOf(known, changed.length))
      journal.confirm(entry)
    } else if (isCurrent) journal.forget(entry)
    return {
      trashedCount: changed.length,
      refusedCount: refused.size,
      reason: failed[0]?.reason,
      isCurrent,
      undo: () => void journal.undo(entry),
    }
  }

  async #undo(recipe: DuplicatesRecipe): Promise<Outcome> {
    const { changed, failed } = await this.#send(recipe, false)
    if (failed.length > 0) return { done: [], failed: refusedNames(failed) }
    const all = recipe.groups.flatMap(({ names }) => names)
    if (recipe.change === 'dismissed') return { done: all, failed: [] }
    // The answer omits images that others have restored before, and deleted ones.
    const isRestored = new Set(changed)
    const others = recipe.groups
      .flatMap(({ names }) => names.slice(1))
      .filter((name) => !isRestored.has(name))
    const missing = others.length === 0 ? [] : await notAsLeft(this.#api.client, others)
    return { done: changed, failed: [...missing].map(([name, reason]) => ({ name, reason })) }
  }

  async #redo(recipe: DuplicatesRecipe): Promise<Outcome> {
    const { changed, failed } = await this.#send(recipe, true)
    const done =
      recipe.change === 'dismissed' ? recipe.groups.flatMap(({ names }) => names) : changed
    return { done: failed.length === 0 ? [...done] : changed, failed: refusedNames(failed) }
  }

  /** Sends groups by the outbox. Returns the images that went to the trash, or returned from it. */
  async #send({ change, groups }: DuplicatesRecipe, wanted: boolean) {
    const names = new Set(groups.flatMap((group) => group.names))
    const noted = new Set<string>()
    // A request may have groups of several actions, and be sent again after a part of it was answered.
    const note = (all: readonly string[]) => {
      for (const name of all) if (names.has(name)) noted.add(name)
    }
    const targets = groups.map(targetOf)
    const { outcome } = this.#api.outbox.worker.take(
      [{ aspect: `duplicates_${change}`, targets, wanted, before: !wanted }],
      {
        onBoardImages: ({ trashed }) => note(trashed),
        onRestored: (boards) => {
          for (const [, restored] of boards) note(restored)
        },
      },
    )
    const { failed } = await outcome
    const changed = [...noted]
    this.#api.refresh.after({ aspect: 'trashed', wanted, targets: changed, isUnsure: true })
    void this.#api.queryClient.invalidateQueries({ queryKey: DUPLICATES_KEY })
    return { changed, failed }
  }

  /** Removes groups from the loaded pages. */
  #hide(names: ReadonlySet<string>): void {
    // An answer from before the change would show them again.
    void this.#api.queryClient.cancelQueries({ queryKey: DUPLICATES_KEY })
    this.#api.queryClient.setQueriesData<Loaded>(
      { queryKey: DUPLICATES_KEY },
      (loaded) => loaded && { ...loaded, pages: withoutGroups(loaded.pages, names) },
    )
  }

  /** Returns the images of groups that are resolved or dismissed, and that the server still lists. */
  #pendingNames(): ReadonlySet<string> {
    const pending = this.#api.outbox.worker
      .entries()
      .filter(({ aspect, wanted }) => isOfDuplicates(aspect) && wanted === true)
    return new Set(targetsOf(pending).flatMap((target) => groupOf(target).names))
  }
}

const hasOneOf = (group: DuplicateGroup, names: ReadonlySet<string>): boolean =>
  namesIn(group).some((name) => names.has(name))

/** Leaves out groups with one of these images. */
function withoutGroups(
  pages: readonly DuplicatesPage[],
  names: ReadonlySet<string>,
): DuplicatesPage[] {
  const isHidden = (group: DuplicateGroup) => hasOneOf(group, names)
  const hidden = names.size === 0 ? [] : pages.flatMap(({ items }) => items.filter(isHidden))
  if (hidden.length === 0) return [...pages]
  const imageCount = hidden.reduce((sum, { images }) => sum + images.length, 0)
  const bytes = hidden.reduce((sum, group) => sum + group.bytes, 0)
  return pages.map((page) => ({
    ...page,
    items: page.items.filter((group) => !isHidden(group)),
    total: page.total - hidden.length,
    image_count: page.image_count - imageCount,
    bytes: page.bytes - bytes,
  }))
}

const withClock = ({ query, ...view }: DuplicateView): DuplicateView => ({
  ...view,
  ...(query && { query: withMoments(query, localClock()) }),
})

const countOthers = ({ groups }: DuplicatesRecipe): number =>
  groups.reduce((sum, { names }) => sum + names.length - 1, 0)

/** Leaves out images that were not moved to the trash. Undo has nothing to do with them. */
const withOnly = (groups: readonly ChangedGroup[], moved: ReadonlySet<string>): ChangedGroup[] =>
  groups
    .map(({ id, names }) => ({
      id,
      names: names.filter((name, at) => at === 0 || moved.has(name)),
    }))
    .filter(({ names }) => names.length > 1)

const refusedNames = (failed: Outcome['failed']): Outcome['failed'] =>
  failed.flatMap(({ name, reason }) => groupOf(name).names.map((each) => ({ name: each, reason })))

/** Describes an action for the journal. */
const entryOf = (recipe: DuplicatesRecipe, trashedCount: number) => {
  const { change, groups } = recipe
  const action: DuplicatesAction = {
    kind: 'duplicates',
    change,
    count: change === 'resolved' ? trashedCount : groups.flatMap(({ names }) => names).length,
    groupCount: groups.length,
  }
  const thumbnails = groups.flatMap(({ names: [first] }) => first ?? []).slice(0, 3)
  return { action, thumbnails, recipe }
}
