import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import type {
  DuplicateGroup,
  DuplicatesPage,
  DuplicateView,
  ResolveResult,
  TesseraClient,
} from '#client/index.ts'
import { MAX_DUPLICATE_GROUPS } from '#contract/limits.ts'
import { localClock, withMoments } from '#contract/search/with-moments.ts'
import type { ServerCapabilities } from '#gallery/api/connection/capabilities.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import type { DuplicatesAction } from '#gallery/api/journal/journal-state.ts'
import type { Runner } from '#gallery/api/journal/journal-types.ts'
import type { DuplicatesRecipe } from '#gallery/api/journal/recipe.ts'
import { notAsLeft } from '#gallery/api/outbox/not-as-left.ts'
import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'
import { GONE } from '#gallery/api/outbox/skip-reasons.ts'
import type { Refresh } from '#gallery/api/refresh.ts'
import { DUPLICATES_KEY } from './duplicates-key.ts'

export type { DuplicateGroup, DuplicateMatch, DuplicateView, KeepReason } from '#client/index.ts'

/** Groups per request of the list. */
const PAGE_SIZE = 50

/** The time between requests while the server compares, in milliseconds. It stops if no request comes for ten seconds. */
const LOOK_MS = 1_000

interface DuplicatesApi {
  readonly client: Pick<TesseraClient, 'duplicates' | 'images' | 'trash'>
  readonly queryClient: QueryClient
  readonly capabilities: Pick<ServerCapabilities, 'maxNamesPerRequest'>
  readonly journal: Pick<Journal, 'add' | 'confirm' | 'describe' | 'forget' | 'save' | 'undo'>
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

export const namesIn = ({ images }: DuplicateGroup): string[] =>
  images.map(({ image_name }) => image_name)

/** Identifies a group while images are starred, added or removed. An image is in one group only. */
export const keyOfGroup = (group: DuplicateGroup): string => namesIn(group).toSorted()[0] ?? ''

/** The groups of duplicates. What the user does with them is shown at once, and sent in order. */
export class Duplicates {
  readonly #api: DuplicatesApi
  /** Settles after all requests so far. */
  #sent: Promise<unknown> = Promise.resolve()

  constructor(api: DuplicatesApi) {
    this.#api = api
  }

  /** The groups of a view, in pages. It asks again while the server compares. */
  groups(view: DuplicateView) {
    return infiniteQueryOptions({
      queryKey: [...DUPLICATES_KEY, view] as const,
      queryFn: ({ pageParam, signal }) =>
        this.#api.client.duplicates.list(
          withClock(view),
          { offset: pageParam, limit: PAGE_SIZE },
          { signal },
        ),
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

  /** Returns all groups of a view. */
  async all(view: DuplicateView): Promise<DuplicateGroup[]> {
    const groups: DuplicateGroup[] = []
    for (;;) {
      const { items, total } = await this.#api.client.duplicates.list(withClock(view), {
        offset: groups.length,
        limit: MAX_DUPLICATE_GROUPS,
      })
      groups.push(...items)
      if (items.length === 0 || groups.length >= total) return groups
    }
  }

  /**
   * Keeps one image of each group and moves the others to the trash, as one action.
   *
   * @throws {RefusedError | ConnectionError} The groups that were not reached are as before.
   */
  async resolve(kept: readonly KeptOfGroup[]): Promise<Undo> {
    const groups = kept.map(({ group, keep }) => [
      keep,
      ...namesIn(group).filter((name) => name !== keep),
    ])
    // What the server will probably answer. Only its answer has the ratings and tags.
    let recipe: DuplicatesRecipe = {
      kind: 'duplicates',
      change: 'resolved',
      groups,
      trashed: groups.flatMap((names) => names.slice(1)),
      starred: kept.flatMap(({ group, keep }) => {
        const starred = group.images.filter((image) => image.starred)
        return starred.length > 0 && starred.every(({ image_name }) => image_name !== keep)
          ? [keep]
          : []
      }),
      rated: [],
      tagged: [],
    }
    this.#hide(kept.map(({ group }) => group))
    // An Undo before the answer waits for it.
    const undo = () => this.#send(() => this.#restore(recipe))
    const entry = this.#api.journal.add(entryOf(recipe), undo)
    return this.#send(async () => {
      const { done, failure } = await this.#resolveAll(groups)
      this.#changed(done.trashed)
      if (done.groups.length === 0) this.#api.journal.forget(entry)
      else {
        recipe = { ...recipe, ...done }
        this.#api.journal.describe(entry, entryOf(recipe))
        this.#api.journal.confirm(entry)
      }
      if (failure !== null) throw failure
      return () => void this.#api.journal.undo(entry)
    })
  }

  /**
   * Remembers that the images of some groups are not duplicates.
   *
   * @throws {RefusedError | ConnectionError} Nothing was changed.
   */
  async dismiss(groups: readonly DuplicateGroup[]): Promise<Undo> {
    const recipe: DuplicatesRecipe = {
      kind: 'duplicates',
      change: 'dismissed',
      groups: groups.map(namesIn),
      trashed: [],
      starred: [],
      rated: [],
      tagged: [],
    }
    this.#hide(groups)
    const entry = this.#api.journal.add(entryOf(recipe), null)
    return this.#send(async () => {
      try {
        await this.#api.client.duplicates.dismiss(dismissedOf(recipe))
      } catch (error) {
        this.#api.journal.forget(entry)
        throw error
      } finally {
        this.#askAgain()
      }
      this.#api.journal.confirm(entry)
      return () => void this.#api.journal.undo(entry)
    })
  }

  /** Returns the Undo and the Redo of an action. They leave images that no longer exist. */
  runnerOf(id: string, recipe: DuplicatesRecipe): Runner {
    const { duplicates } = this.#api.client
    const done: Outcome = { done: recipe.groups.flat(), failed: [] }
    const run = (work: () => Promise<Outcome>) => () =>
      this.#send(work).finally(() => this.#askAgain())
    if (recipe.change === 'dismissed') {
      return {
        undo: run(() => duplicates.undismiss(dismissedOf(recipe)).then(() => done)),
        redo: run(() => duplicates.dismiss(dismissedOf(recipe)).then(() => done)),
      }
    }
    return {
      undo: run(() => this.#restore(recipe)),
      redo: run(async () => {
        const again = await this.#resolveAll(recipe.groups)
        this.#changed(again.done.trashed)
        if (again.failure !== null) throw again.failure
        this.#api.journal.save(id, { ...recipe, ...again.done, groups: recipe.groups })
        const failed = again.gone.map((name) => ({ name, reason: GONE }))
        return { done: again.done.trashed, failed }
      }),
    }
  }

  /** Sends groups in parts, until one fails. */
  async #resolveAll(groups: DuplicatesRecipe['groups']) {
    const { duplicates } = this.#api.client
    const results: ResolveResult[] = []
    const sent: (readonly string[])[] = []
    let failure: unknown = null
    try {
      for (const part of partsOf(groups, this.#api.capabilities.maxNamesPerRequest)) {
        const wanted = part.map(([keep = '', ...image_names]) => ({ keep, image_names }))
        results.push(await duplicates.resolve(wanted))
        sent.push(...part)
      }
    } catch (error) {
      failure = error
    }
    const trashed = results.flatMap(({ trashed_images }) => trashed_images)
    const starred = results.flatMap(({ starred_images }) => starred_images)
    const gone = results.flatMap(({ failed_images }) => failed_images)
    const rated = results.flatMap(({ previous_ratings }) => previous_ratings)
    const tagged = results.flatMap(({ added_tags }) => added_tags)
    const done = { groups: trashed.length > 0 ? sent : [], trashed, starred, rated, tagged }
    return { done, gone, failure }
  }

  async #restore({ trashed, starred, rated, tagged }: DuplicatesRecipe): Promise<Outcome> {
    const { client } = this.#api
    const { restored_images } = await client.trash.restore({ imageNames: [...trashed] })
    if (starred.length > 0) await client.images.unstar([...starred])
    for (const { rating, image_names } of rated) await client.images.rate(image_names, rating)
    for (const { tag, image_names } of tagged)
      await client.images.tag(image_names, { remove: [tag] })
    this.#changed(trashed)
    // The answer omits images that others have restored before, and deleted ones.
    const isRestored = new Set(restored_images)
    const others = trashed.filter((name) => !isRestored.has(name))
    const missing = others.length === 0 ? [] : [...(await notAsLeft(client, others))]
    return { done: restored_images, failed: missing.map(([name, reason]) => ({ name, reason })) }
  }

  /** Removes groups from the loaded pages. */
  #hide(groups: readonly DuplicateGroup[]): void {
    const names = new Set(groups.flatMap(namesIn))
    const isHidden = (group: DuplicateGroup) => namesIn(group).some((name) => names.has(name))
    // An answer from before the change would show them again.
    void this.#api.queryClient.cancelQueries({ queryKey: DUPLICATES_KEY })
    this.#api.queryClient.setQueriesData<Loaded>({ queryKey: DUPLICATES_KEY }, (loaded) => {
      if (loaded === undefined) return loaded
      const hidden = loaded.pages.flatMap(({ items }) => items.filter(isHidden))
      const imageCount = hidden.reduce((sum, { images }) => sum + images.length, 0)
      const bytes = hidden.reduce((sum, group) => sum + group.bytes, 0)
      const pages = loaded.pages.map((page) => ({
        ...page,
        items: page.items.filter((group) => !isHidden(group)),
        total: page.total - hidden.length,
        image_count: page.image_count - imageCount,
        bytes: page.bytes - bytes,
      }))
      return { ...loaded, pages }
    })
  }

  #changed(targets: readonly string[]): void {
    this.#api.refresh.after({ aspect: 'trashed', wanted: true, targets, isUnsure: true })
    this.#askAgain()
  }

  #askAgain(): void {
    void this.#api.queryClient.invalidateQueries({ queryKey: DUPLICATES_KEY })
  }

  #send<Result>(request: () => Promise<Result>): Promise<Result> {
    const sent = this.#sent.then(request)
    this.#sent = sent.catch(() => {})
    return sent
  }
}

const withClock = ({ query, ...view }: DuplicateView): DuplicateView => ({
  ...view,
  ...(query && { query: withMoments(query, localClock()) }),
})

const dismissedOf = ({ groups }: DuplicatesRecipe) =>
  groups.map((names) => ({ image_names: [...names] }))

/** Describes an action for the journal. */
const entryOf = (recipe: DuplicatesRecipe) => {
  const { change, groups, trashed } = recipe
  const action: DuplicatesAction = {
    kind: 'duplicates',
    change,
    count: change === 'resolved' ? trashed.length : groups.flat().length,
    groupCount: groups.length,
  }
  const thumbnails = groups.flatMap(([first]) => first ?? []).slice(0, 3)
  return { action, thumbnails, recipe }
}

/** Divides groups so that each part fits in one request. */
export function partsOf<Group extends readonly unknown[]>(
  groups: readonly Group[],
  maxNames: number,
): Group[][] {
  const parts: Group[][] = []
  let names = 0
  for (const group of groups) {
    const part = parts.at(-1)
    names += group.length
    if (part === undefined || part.length === MAX_DUPLICATE_GROUPS || names > maxNames) {
      parts.push([group])
      names = group.length
    } else part.push(group)
  }
  return parts
}
