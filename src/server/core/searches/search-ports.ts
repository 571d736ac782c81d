import type { SavedSearch } from '#contract/search/saved-searches.ts'

/** A saved search. Times are in milliseconds since 1970. */
export interface StoredSearch extends Omit<SavedSearch, 'created_at' | 'updated_at'> {
  created_at: number
  updated_at: number
}

type Fields = Pick<StoredSearch, 'name' | 'icon' | 'query' | 'filter' | 'position'>

/** Searches that clients save. There are few, so a list has all of them. */
export interface SavedSearchRecords {
  /** By position, those without one last, the oldest first. */
  list(): Promise<StoredSearch[]>
  get(searchId: string): Promise<StoredSearch | null>
  /** Refuses, without a change, if the id is taken or there are already `maxSearches`. */
  add(
    search: Fields & Pick<StoredSearch, 'search_id'>,
    bounds: { maxSearches: number },
  ): Promise<StoredSearch | 'search_exists' | 'too_many_searches'>
  /** Returns null if there is no such search. */
  update(searchId: string, changes: Partial<Fields>): Promise<StoredSearch | null>
  /** Returns the removed search, or null if no search has this id. */
  remove(searchId: string): Promise<StoredSearch | null>
}
