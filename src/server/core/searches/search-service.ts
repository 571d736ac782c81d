import { MAX_SAVED_SEARCHES } from '#contract/limits.ts'
import { isOrderKey } from '#contract/order-key.ts'
import type { NewSearch, SavedSearch, SearchChanges } from '#contract/search/saved-searches.ts'
import { renderTimestamp } from '#server/core/clock.ts'
import type { EventSink } from '#server/core/events/event-hub.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import type { SavedSearchRecords, StoredSearch } from './search-ports.ts'

interface Parts {
  records: SavedSearchRecords
  events: EventSink
  newId: () => string
}

/** Searches with a name, which all clients share. Each change sends `searches_changed`. */
export class SearchService {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async list(): Promise<SavedSearch[]> {
    return (await this.#parts.records.list()).map(searchOf)
  }

  /** @throws {Refusal} `search_not_found` */
  async get(searchId: string): Promise<SavedSearch> {
    return searchOf(orRefuse(await this.#parts.records.get(searchId), 'search_not_found'))
  }

  /** @throws {Refusal} `invalid_search`, `search_exists`, `too_many_searches` */
  async create(given: NewSearch): Promise<SavedSearch> {
    const { records, newId } = this.#parts
    const { search_id = newId(), icon = null, filter = null, position = null } = given
    if (!/^[\w-]+$/.test(search_id))
      throw new Refusal('invalid_search', 'The id must have only letters, digits, - and _.')
    assertPosition(position)
    const name = filled(given.name, 'name')
    const query = filled(given.query, 'query')
    const search = { search_id, name, query, icon, filter, position }
    const added = await records.add(search, { maxSearches: MAX_SAVED_SEARCHES })
    if (typeof added === 'string') throw new Refusal(added)
    return this.#changed(added)
  }

  /** @throws {Refusal} `search_not_found`, `invalid_search`. Nothing was changed. */
  async update(searchId: string, changes: SearchChanges): Promise<SavedSearch> {
    const { name, query, ...others } = changes
    assertPosition(others.position)
    const updated = await this.#parts.records.update(searchId, {
      ...others,
      ...(name !== undefined && { name: filled(name, 'name') }),
      ...(query !== undefined && { query: filled(query, 'query') }),
    })
    return this.#changed(orRefuse(updated, 'search_not_found'))
  }

  /** @throws {Refusal} `search_not_found` */
  async delete(searchId: string): Promise<SavedSearch> {
    return this.#changed(orRefuse(await this.#parts.records.remove(searchId), 'search_not_found'))
  }

  #changed(search: StoredSearch): SavedSearch {
    this.#parts.events.emit('searches_changed', {})
    return searchOf(search)
  }
}

function assertPosition(position: string | null | undefined): void {
  if (position == null || isOrderKey(position)) return
  throw new Refusal('invalid_search', 'The position is not a key of fractional-indexing.')
}

/** Returns a text without spaces around it. */
function filled(text: string, field: 'name' | 'query'): string {
  const trimmed = text.trim()
  if (trimmed === '') throw new Refusal('invalid_search', `The ${field} is empty.`)
  return trimmed
}

const searchOf = (stored: StoredSearch): SavedSearch => ({
  ...stored,
  created_at: renderTimestamp(stored.created_at),
  updated_at: renderTimestamp(stored.updated_at),
})
