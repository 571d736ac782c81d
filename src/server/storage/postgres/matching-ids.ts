import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { IdSet, type Ids, readIds } from '#server/storage/sql/id-set.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { type Order, orderBy, sortValueOf } from '#server/storage/sql/views/order.ts'
import {
  conditionsOf,
  countSelection,
  everything,
  lastsWithin,
  type Selection,
  totalOf,
} from '#server/storage/sql/views/selection.ts'
import type { Remember } from './results.ts'
import type { Matches, Search } from './searches-of.ts'
import { updateIds } from './update-ids.ts'

/** The state from which a view is opened. */
export interface ViewSource {
  /** A transaction, which sees one state of the library. */
  db: Db
  remember: Remember
  /** Number of images of a new bucket of `order_buckets`. */
  bucketImages: number
  /** Number of images up to which a search sorts those that match. */
  maxRareMatches: number
}

export interface Listing extends ViewSource {
  selection: Selection
  order: Order
}

/** Up to this number of matches, reading and sorting their rows is cheaper than reading the ids of the whole view. */
export const MAX_RARE_MATCHES = 10_000

/** From this share of all images, reading those that do not match is cheaper. */
const NEARLY_ALL = 0.75

/** Returns the ids of the images of a view that match a search, in its order. */
export const matchingIds = (
  listing: Listing,
  search: NonNullable<Search>,
  key: string,
): Promise<Uint32Array> => {
  const { db, remember, selection, order, maxRareMatches } = listing
  return remember(
    key,
    async () => {
      const matches = await search(db)
      const { condition, within } = matches
      if (within === null) return idsOfMatches(listing, matches)
      if (within.size <= maxRareMatches)
        return sortedIds(listing, allOf(condition, isOneOf(db, 'id', [...within.ids()])))
      const found = condition === null ? allIds(listing) : idsOfMatches(listing, matches)
      return within.choose(await found)
    },
    async (ids, changed) => {
      const { condition, within } = await search(db)
      const isWithin =
        within &&
        isOneOf(
          db,
          'id',
          [...changed].filter((id) => within.has(id)),
        )
      const rows = inSelection(selection, allOf(condition, isWithin))
      return updateIds(db, order, rows, ids, changed)
    },
  )
}

const allOf = (
  ...conditions: readonly (RawBuilder<boolean> | null)[]
): RawBuilder<boolean> | undefined => {
  const known = conditions.filter((condition) => condition !== null)
  return known.length === 0 ? undefined : sql<boolean>`(${sql.join(known, sql` AND `)})`
}

/** Returns the ids of the images of a view that match, except for the limits of `within`. */
const idsOfMatches = async (
  listing: Listing,
  { condition, ids, others }: Matches,
): Promise<Uint32Array> => {
  const { db, maxRareMatches } = listing
  const images = totalOf(await countSelection(db, everything))
  if (ids === null || !(await isLargePart(listing, images)))
    return sortedIds(listing, condition ?? undefined)
  if (
    others !== null &&
    (await expectedRows(db, ids)) > Math.max(images * NEARLY_ALL, maxRareMatches)
  )
    return new IdSet(await readIds(db, others)).leaveOut(await allIds(listing))
  const found = await readByIndex(db, ids)
  if (found.length <= maxRareMatches) return sortedIds(listing, isOneOf(db, 'id', [...found]))
  return new IdSet(found).choose(await allIds(listing))
}

/**
 * Returns true if the index of the view has at least a quarter of all images. Many matches then need neither a join
 * nor a sort: they are chosen from the ids of the whole view, which are cached in their order.
 */
const isLargePart = async ({ db, selection }: Listing, images: number): Promise<boolean> => {
  const { board, kinds } = selection
  const inIndex = totalOf(await countSelection(db, { ...everything, board, kinds }))
  return inIndex >= images / 4
}

/** Returns the number of rows that PostgreSQL expects from its statistics, which contain the frequent words. */
const expectedRows = async (db: Db, query: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    EXPLAIN (FORMAT JSON) ${query}`.execute(db)
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

/**
 * Reads ids by the index of words. For a frequent word, PostgreSQL expects reading all rows to be faster, but that takes
 * half as long again. With less memory than the places of all matches need, it would compare all rows near them.
 */
const readByIndex = async (db: Db, ids: Ids): Promise<Uint32Array> => {
  await sql`SELECT set_config('enable_seqscan', 'off', true),
    set_config('work_mem', '64MB', true)`.execute(db)
  const found = await readIds(db, ids)
  await sql`SET LOCAL enable_seqscan TO DEFAULT`.execute(db)
  return found
}

/** Returns the ids of a view without its search. */
export const allIds = (listing: Listing): Promise<Uint32Array> => {
  const { db, remember, selection, order } = listing
  return remember(
    JSON.stringify(['all', selection, order]),
    () => sortedIds(listing),
    (ids, changed) => updateIds(db, order, inSelection(selection), ids, changed),
  )
}

const sortedIds = (
  { db, selection, order }: Listing,
  matches?: RawBuilder<boolean>,
): Promise<Uint32Array> =>
  readIds(
    db,
    sql`SELECT id FROM images WHERE ${inSelection(selection, matches)}
      ORDER BY ${orderBy({ ...order, isBackwards: false }, sortValueOf(order))}`,
  )

const inSelection = (selection: Selection, matches?: RawBuilder<boolean>): RawBuilder<boolean> => {
  const conditions = [
    sql<boolean>`deleted_at IS NULL`,
    sql<boolean>`kind IN (${sql.join(selection.kinds)})`,
    ...conditionsOf(selection),
    ...(selection.durations === null ? [] : [lastsWithin(selection.durations)]),
    ...(matches === undefined ? [] : [matches]),
  ]
  return sql`${sql.join(conditions, sql` AND `)}`
}
