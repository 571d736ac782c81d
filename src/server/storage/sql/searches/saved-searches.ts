import type { Selectable } from 'kysely'
import type { StoredSearch } from '#server/core/searches/search-ports.ts'
import type { Db, SavedSearchesTable } from '#server/storage/sql/tables.ts'
import type { Read, Write } from '#server/storage/sql/unit-types.ts'

const columns = [
  'search_id',
  'name',
  'icon',
  'query',
  'filter',
  'position',
  'created_at',
  'updated_at',
] as const

const searchOf = (row: Selectable<SavedSearchesTable>): StoredSearch => ({
  ...row,
  filter: row.filter === null ? null : JSON.parse(row.filter),
})

const textOf = (filter: StoredSearch['filter']): string | null =>
  filter === null ? null : JSON.stringify(filter)

const select = (db: Db) => db.selectFrom('saved_searches').select(columns)

/** There are few, and the two databases sort NULL and letters differently, so they are sorted here. */
export const listSearches: Read<'savedSearches.list'> = async (db) =>
  (await select(db).execute()).map(searchOf).sort(
    (one, other) =>
      // No key of `fractional-indexing` has a `~`, which comes after all letters.
      compare(one.position ?? '~', other.position ?? '~') ||
      one.created_at - other.created_at ||
      compare(one.search_id, other.search_id),
  )

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

export const getSearch: Read<'savedSearches.get'> = async (db, searchId) => {
  const row = await select(db).where('search_id', '=', searchId).executeTakeFirst()
  return row === undefined ? null : searchOf(row)
}

export const addSearch: Write<'savedSearches.add'> = async (db, now, search, { maxSearches }) => {
  if ((await getSearch(db, search.search_id)) !== null) return 'search_exists'
  const { count } = await db
    .selectFrom('saved_searches')
    .select((counting) => counting.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxSearches) return 'too_many_searches'
  const times = { created_at: now, updated_at: now }
  await db
    .insertInto('saved_searches')
    .values({ ...search, ...times, filter: textOf(search.filter) })
    .execute()
  return { ...search, ...times }
}

export const updateSearch: Write<'savedSearches.update'> = async (db, now, searchId, changes) => {
  const { filter, ...others } = changes
  await db
    .updateTable('saved_searches')
    .set({
      ...others,
      ...(filter !== undefined && { filter: textOf(filter) }),
      updated_at: now,
    })
    .where('search_id', '=', searchId)
    .execute()
  return getSearch(db, searchId)
}

export const removeSearch: Write<'savedSearches.remove'> = async (db, _now, searchId) => {
  const search = await getSearch(db, searchId)
  if (search === null) return null
  await db.deleteFrom('saved_searches').where('search_id', '=', searchId).execute()
  return search
}
