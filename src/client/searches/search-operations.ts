import { orIfRefused } from '#client/errors.ts'
import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import {
  type CountedSearch,
  countSearches,
  createSearch,
  deleteSearch,
  getSearch,
  listSearches,
  type NewSearch,
  type SavedSearch,
  type SearchChanges,
  updateSearch,
} from '#contract/search/saved-searches.ts'

/**
 * Requests about saved searches, which all clients of a server share. They require the extension `saved_searches`.
 *
 * @example
 * const { query } = await client.searches.create({ name: 'Castles', query: 'castle -neon' })
 * const { records } = await client.images.window({ query }, { offset: 0, limit: 50 })
 */
export class SearchOperations {
  readonly #http: Http

  /** @internal */
  constructor(http: Http) {
    this.#http = http
  }

  /** Lists the saved searches in their order by hand. The list may be empty. */
  list(options: CallOptions = {}): Promise<SavedSearch[]> {
    return this.#http.call(listSearches, options)
  }

  /**
   * Counts the images and videos that searches find, saved or not, at most 100 in a call.
   *
   * @returns The counts, in the order of the searches.
   */
  async count(
    searches: readonly CountedSearch[],
    options: CallOptions = {},
  ): Promise<readonly number[]> {
    const body = { searches: [...searches] }
    return (await this.#http.call(countSearches, { body, ...options })).counts
  }

  /** Reads one saved search. Returns null if no search has this id. */
  get(searchId: string, options: CallOptions = {}): Promise<SavedSearch | null> {
    const search = this.#http.call(getSearch, { params: { search_id: searchId }, ...options })
    return orIfRefused(search, null, 'search_not_found')
  }

  /**
   * Saves a search. With the `search_id` of a deleted one, it puts that back.
   *
   * @throws {RefusedError} `invalid_search`: name or query are blank, or the id or position are invalid;
   *   `search_exists`: the id is taken; `too_many_searches`: there are 500. Nothing was saved.
   */
  create(search: NewSearch, options: CallOptions = {}): Promise<SavedSearch> {
    return this.#http.call(createSearch, { body: search, ...options })
  }

  /**
   * Changes the given fields of a saved search.
   *
   * @throws {RefusedError} `search_not_found`, `invalid_search`. Nothing was changed.
   */
  update(
    searchId: string,
    changes: SearchChanges,
    options: CallOptions = {},
  ): Promise<SavedSearch> {
    const params = { search_id: searchId }
    return this.#http.call(updateSearch, { params, body: changes, ...options })
  }

  /** Deletes a saved search and returns it. Returns null if no search has this id. */
  delete(searchId: string, options: CallOptions = {}): Promise<SavedSearch | null> {
    const search = this.#http.call(deleteSearch, { params: { search_id: searchId }, ...options })
    return orIfRefused(search, null, 'search_not_found')
  }
}
