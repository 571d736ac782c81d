import { expect, test } from 'vitest'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import type { SavedSearchRecords } from '#server/core/searches/search-ports.ts'

const plain = { icon: null, filter: null, position: null }
const castles = { ...plain, search_id: 'castles', name: 'Castles', query: 'castle -neon' }
const many = { maxSearches: 10 }

const idsIn = async (searches: SavedSearchRecords) =>
  (await searches.list()).map(({ search_id }) => search_id)

/** Tests that every implementation of `SavedSearchRecords` must pass. */
export const testSavedSearches = (open: (clock?: Clock) => Promise<Records>): void => {
  test('keeps all fields of a search, in any script', async () => {
    const { savedSearches } = await open(() => 5_000)
    const search = {
      ...{ search_id: 'x-1', name: 'Küche 肖像 🖼', query: 'model:"flux dev" OR 猫' },
      ...{ icon: 'star' as const, position: 'a0' },
      filter: { kind: 'video' as const, min_duration: 5_000, categories: ['user' as const] },
    }
    const stored = { ...search, created_at: 5_000, updated_at: 5_000 }

    expect(await savedSearches.add(search, many)).toEqual(stored)
    expect(await savedSearches.get('x-1')).toEqual(stored)
    expect(await savedSearches.list()).toEqual([stored])
    expect(await savedSearches.get('other')).toBeNull()
  })

  test('lists by position, compared by code, and then the oldest without one', async () => {
    let now = 0
    const { savedSearches } = await open(() => now)
    for (const [search_id, position] of Object.entries({
      b: null,
      a: null,
      m: 'a1',
      n: 'Zz',
      o: 'a0V',
    })) {
      now += 1
      await savedSearches.add({ ...castles, search_id, position }, many)
    }
    expect(await idsIn(savedSearches)).toEqual(['n', 'o', 'm', 'b', 'a'])
  })

  test('changes only the given fields', async () => {
    let now = 1
    const { savedSearches } = await open(() => now)
    await savedSearches.add({ ...castles, icon: 'flag', filter: { starred: true } }, many)
    now = 2
    const renamed = { ...castles, icon: 'flag', filter: { starred: true }, name: 'Towers' }
    const times = { created_at: 1, updated_at: 2 }

    expect(await savedSearches.update('castles', { name: 'Towers' })).toEqual({
      ...renamed,
      ...times,
    })
    const none = { icon: null, filter: null, position: null }
    expect(await savedSearches.update('castles', none)).toEqual({ ...renamed, ...none, ...times })
    expect(await savedSearches.update('other', { name: 'Towers' })).toBeNull()
  })

  test('removes a search, which can be added again under its id', async () => {
    const { savedSearches } = await open(() => 1)
    await savedSearches.add(castles, many)

    expect(await savedSearches.remove('castles')).toMatchObject(castles)
    expect(await savedSearches.remove('castles')).toBeNull()
    expect(await savedSearches.list()).toEqual([])
    expect(await savedSearches.add(castles, many)).toMatchObject(castles)
  })

  test('refuses a taken id and more than the maximum, without a change', async () => {
    const { savedSearches } = await open()
    await savedSearches.add(castles, { maxSearches: 1 })

    const other = { ...castles, name: 'Other' }
    expect(await savedSearches.add(other, many)).toBe('search_exists')
    expect(await savedSearches.add({ ...other, search_id: 'b' }, { maxSearches: 1 })).toBe(
      'too_many_searches',
    )
    expect(await savedSearches.list()).toMatchObject([castles])
  })
}
