import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { generateKeyBetween } from 'fractional-indexing'
import { isRefused } from '#client/errors.ts'
import type { SavedSearch, SearchChanges, TesseraClient } from '#client/index.ts'
import { localClock, withMoments } from '#contract/search/with-moments.ts'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import type { ServerEvents } from '#gallery/api/connection/server-events.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import type { SearchAction } from '#gallery/api/journal/journal-state.ts'
import type { Runner } from '#gallery/api/journal/journal-types.ts'
import type { SearchRecipe } from '#gallery/api/journal/recipe.ts'
import { CHANGED, GONE } from '#gallery/api/outbox/skip-reasons.ts'
import { usePart } from './parts.ts'

export type { SavedSearch, SearchChanges, SearchIcon } from '#client/index.ts'

interface SearchesApi {
  readonly client: Pick<TesseraClient, 'searches'>
  readonly queryClient: QueryClient
  readonly events: Pick<ServerEvents, 'on' | 'onConnected'>
  readonly journal: Pick<Journal, 'add' | 'confirm' | 'forget' | 'undo'>
}

type Undo = () => void

/** The fields that people choose. */
export type NewSavedSearch = Pick<SavedSearch, 'name' | 'icon' | 'query' | 'filter'>

/** The saved searches of the server. Changes are shown at once, and sent one after the other. */
export class Searches {
  readonly #api: SearchesApi
  /** In the order by hand. */
  readonly query
  /** Settles after all requests so far. */
  #sent: Promise<unknown> = Promise.resolve()

  constructor(api: SearchesApi) {
    this.#api = api
    this.query = queryOptions({
      queryKey: ['searches'] as const,
      queryFn: ({ signal }): Promise<SavedSearch[]> => api.client.searches.list({ signal }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: 'always',
    })
    api.events.on('searches_changed', () => this.#askAgain())
    api.events.onConnected(() => this.#askAgain())
  }

  /** The number of images of each search by its ID. They are fetched again with the counts of boards. */
  counts(searches: readonly SavedSearch[]) {
    const counted = searches.map(({ search_id, query, filter }) => ({ search_id, query, filter }))
    return queryOptions({
      queryKey: [...boardKeys.searchCounts(), counted] as const,
      queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
        const clock = localClock()
        const sent = counted.map(({ query, filter }) => ({
          query: withMoments(query, clock),
          filter,
        }))
        const counts = await this.#api.client.searches.count(sent, { signal })
        return new Map(counted.map(({ search_id }, at) => [search_id, counts[at] ?? 0]))
      },
      placeholderData: keepPreviousData,
      enabled: counted.length > 0,
    })
  }

  /**
   * Saves a search as the last one.
   *
   * @throws {RefusedError | ConnectionError} It was not saved.
   */
  async add(fields: NewSavedSearch): Promise<SavedSearch> {
    // A search without a position would come after it.
    if (this.#all().some(({ position }) => position === null)) await this.#placeAll()
    const last = this.#all().at(-1)?.position ?? null
    const position = generateKeyBetween(last, null)
    const search = await this.#api.client.searches.create({ ...fields, position })
    this.#show((searches) => [
      ...searches.filter(({ search_id }) => search_id !== search.search_id),
      search,
    ])
    const entry = this.#note({ search, change: 'saved', before: null, after: fieldsOf(search) })
    this.#api.journal.confirm(entry)
    return search
  }

  /**
   * Changes a search.
   *
   * @returns Undo.
   * @throws {RefusedError | ConnectionError} It was not changed.
   */
  async change(
    search: SavedSearch,
    changes: SearchChanges,
    change: SearchAction['change'],
  ): Promise<Undo> {
    const { search_id } = search
    this.#show((all) =>
      inOrder(all.map((one) => (one.search_id === search_id ? { ...one, ...changes } : one))),
    )
    const before = pick(search, Object.keys(changes))
    const named = { ...search, name: changes.name ?? search.name }
    const entry = this.#note({ search: named, change, before, after: changes })
    return this.#confirmed(entry, () => this.#api.client.searches.update(search_id, changes))
  }

  /**
   * Deletes a search.
   *
   * @returns Undo.
   * @throws {RefusedError | ConnectionError} It was not deleted.
   */
  async remove(search: SavedSearch): Promise<Undo> {
    const { search_id } = search
    this.#show((all) => all.filter((one) => one.search_id !== search_id))
    const entry = this.#note({ search, change: 'deleted', before: fieldsOf(search), after: null })
    return this.#confirmed(entry, () => this.#api.client.searches.delete(search_id))
  }

  /**
   * Moves a search so that it is at an index among the others. Searches without a position get one first.
   *
   * @throws {RefusedError | ConnectionError} It was not moved.
   */
  async move(search: SavedSearch, index: number): Promise<void> {
    const others = this.#all().filter(({ search_id }) => search_id !== search.search_id)
    if (others.slice(0, index).some(({ position }) => position === null)) {
      await this.#placeAll()
      return this.move(search, index)
    }
    const from = others[index - 1]?.position ?? null
    // Two clients may have chosen the same key. Then the search is moved after both.
    const to = others
      .slice(index)
      .map(({ position }) => position)
      .find((key) => key !== null && (from === null || key > from))
    const position = generateKeyBetween(from, to ?? null)
    await this.change(search, { position }, 'moved')
  }

  /** Returns the Undo and the Redo of a change. They leave a search that others have changed since. */
  runnerOf({ searchId, before, after }: SearchRecipe): Runner {
    const { searches } = this.#api.client
    const run = async (from: SearchChanges | null, to: SearchChanges | null) => {
      const failed = (reason: string) => ({ done: [], failed: [{ name: searchId, reason }] })
      const current = await searches.get(searchId)
      if (from === null) {
        if (current !== null) return failed(CHANGED.search)
        const { name = '', query = '', ...others } = to ?? {}
        await searches.create({ search_id: searchId, name, query, ...others })
      } else if (current === null) return failed(GONE)
      else if (!hasFields(current, from)) return failed(CHANGED.search)
      else if (to === null) await searches.delete(searchId)
      else await searches.update(searchId, to)
      this.#askAgain()
      return { done: [searchId], failed: [] }
    }
    const send = (from: SearchChanges | null, to: SearchChanges | null) =>
      this.#send(() => run(from, to))
    return { undo: () => send(after, before), redo: () => send(before, after) }
  }

  #all(): readonly SavedSearch[] {
    return this.#api.queryClient.getQueryData(this.query.queryKey) ?? []
  }

  /** Gives each search a position, in the order of the list. */
  async #placeAll(): Promise<void> {
    let last: string | null = null
    for (const { search_id, position } of this.#all()) {
      last = position ?? generateKeyBetween(last, null)
      if (position === null) await this.#api.client.searches.update(search_id, { position: last })
    }
    await this.#api.queryClient.refetchQueries({ queryKey: this.query.queryKey })
  }

  #note({
    search,
    change,
    before,
    after,
  }: Pick<SearchRecipe, 'before' | 'after'> & {
    search: SavedSearch
    change: SearchAction['change']
  }): string {
    return this.#api.journal.add(
      {
        action: { kind: 'search', change, count: 1, name: search.name },
        thumbnails: [],
        recipe: { kind: 'search', searchId: search.search_id, before, after },
      },
      null,
    )
  }

  #show(edit: (searches: readonly SavedSearch[]) => SavedSearch[]): void {
    // An answer from before the change would hide it.
    void this.#api.queryClient.cancelQueries({ queryKey: this.query.queryKey })
    this.#api.queryClient.setQueryData(this.query.queryKey, (all) => all && edit(all))
  }

  #askAgain(): void {
    void this.#api.queryClient.invalidateQueries({ queryKey: this.query.queryKey })
  }

  /** Sends a change that is in the journal already, so that Undo takes it back and not the one before. */
  async #confirmed(entry: string, request: () => Promise<unknown>): Promise<Undo> {
    const { journal } = this.#api
    try {
      await this.#send(request)
    } catch (error) {
      journal.forget(entry)
      // Shows the searches of the server again.
      this.#askAgain()
      throw error
    }
    journal.confirm(entry)
    return () => void journal.undo(entry)
  }

  #send<Result>(request: () => Promise<Result>): Promise<Result> {
    const sent = this.#sent.then(request)
    this.#sent = sent.catch(() => {})
    return sent
  }
}

const fieldsOf = ({ name, icon, query, filter, position }: SavedSearch) => ({
  ...{ name, icon, query, filter, position },
})

const pick = (search: SavedSearch, keys: readonly string[]): SearchChanges =>
  Object.fromEntries(Object.entries(search).filter(([key]) => keys.includes(key)))

const hasFields = (search: SavedSearch, fields: SearchChanges): boolean =>
  JSON.stringify(pick(search, Object.keys(fields).sort())) ===
  JSON.stringify(pick({ ...search, ...fields }, Object.keys(fields).sort()))

/** As the server sorts them. */
const inOrder = (searches: readonly SavedSearch[]): SavedSearch[] =>
  searches.toSorted((one, other) => {
    const [a, b] = [one.position ?? '~', other.position ?? '~']
    return a < b ? -1 : Number(a > b)
  })

/** Returns true if a change was refused because another client has deleted the search. */
export const isSearchGone = (error: unknown): boolean => isRefused(error, 'search_not_found')

/** Returns the saved searches in their order; undefined while unknown, and without the extension. */
export function useSearches(): readonly SavedSearch[] | undefined {
  const searches = usePart(Searches)
  const enabled = useHasExtension('saved_searches')
  return useQuery({ ...searches.query, enabled }).data
}
