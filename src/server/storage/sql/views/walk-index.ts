import { type RawBuilder, sql } from 'kysely'
import { dialectOf } from '#server/storage/sql/dialect.ts'
import { NAMES_PER_PART } from '#server/storage/sql/packed-names.ts'
import type { Db, Flag } from '#server/storage/sql/tables.ts'
import { isVideo } from '#server/storage/sql/views/selection.ts'
import { selectOrderKeys } from './opened-view.ts'
import { columnOf, indexOf, type Order, type OrderKey, orderBy, type Walk } from './order.ts'
import type { Range } from './segments.ts'
import { conditionsOf, type Selection } from './selection.ts'

export interface Route {
  selection: Selection
  ranges: readonly Range[]
  walk: Walk
  after?: OrderKey
  /** Additional conditions on a row of `images`. */
  where?: readonly RawBuilder<boolean>[]
}

/** `limit` -1: all. */
export type RouteWindow = Route & { limit: number; offset?: number }

/** Returns ids in the order of the walk, read only from an index. */
export const walkIds = async (db: Db, route: RouteWindow): Promise<number[]> => {
  if (rangesAfter(route).length === 0 || route.limit === 0) return []
  const { rows } = await walkQuery<{ id: number }>(db, route, sql`id`).execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the key after `skipped` others. undefined: there are fewer. `starred` is 0 if the order ignores it. */
export const walkToKey = async (
  db: Db,
  route: Route,
  skipped: number,
): Promise<OrderKey | undefined> => {
  if (rangesAfter(route).length === 0) return undefined
  // Not every index has the star.
  const starred = route.walk.starredFirst ? sql`starred` : sql`0`
  const columns = sql`id, ${sql.ref(columnOf(route.walk))} AS value, ${starred} AS star`
  const { rows } = await walkQuery<{ id: number; value: number | string; star: Flag }>(
    db,
    { ...route, limit: 1, offset: skipped },
    columns,
  ).execute(db)
  return rows.map(({ id, value, star }) => ({ id, value, starred: star }))[0]
}

/**
 * Yields names in the order of the walk, as JSON arrays. A million names as rows would take hundreds of megabytes,
 * and the process would not return the memory that SQLite needs for one text of all names.
 */
export async function* walkNames(db: Db, route: RouteWindow): AsyncGenerator<string> {
  let { after, offset = 0 } = route
  for (let left = route.limit; left > 0; left -= NAMES_PER_PART) {
    const limit = Math.min(left, NAMES_PER_PART)
    const part = { ...route, ...(after && { after }), offset, limit }
    if (rangesAfter(part).length === 0) return
    const { rows } = await sql<{ names: string }>`
      SELECT ${dialectOf(db).jsonArray('image_name')} AS names
      FROM (${walkQuery(db, part, sql`image_name, id`)}) AS walked`.execute(db)
    const [{ names } = { names: '[]' }] = rows
    if (names !== '[]') yield names
    if (left <= limit) return
    after = await getKeyOfLast(db, names, route.walk)
    if (after === undefined) return
    offset = 0
  }
}

/** Returns the key of the last image of a JSON array of names. A second walk to it would take as long as the first. */
const getKeyOfLast = (db: Db, names: string, order: Order): Promise<OrderKey | undefined> => {
  const [last] = LAST_TEXT.exec(names.slice(-MAX_NAME_LENGTH)) ?? []
  if (last === undefined) return Promise.resolve(undefined)
  return selectOrderKeys(db, order)
    .where('image_name', '=', String(JSON.parse(last)))
    .executeTakeFirst()
}

/** The last text of a JSON array. Its quotes are escaped. */
const LAST_TEXT = /"(?:[^"\\]|\\.)*"(?=\s*\]$)/

/** A file name has at most 255 bytes, of which JSON escapes each by up to six characters. */
const MAX_NAME_LENGTH = 2_000

export const countWalk = async (db: Db, route: Route): Promise<number> => {
  const counts = rangesAfter(route).map((range) => rangeQuery(db, route, range, sql`count(*) AS n`))
  if (counts.length === 0) return 0
  const { rows } = await sql<{ n: number }>`${sql.join(counts, sql` UNION ALL `)}`.execute(db)
  return rows.reduce((sum, { n }) => sum + n, 0)
}

/** A single range is already sorted; several ranges are merged by the order's columns, which each must then select. */
export const walkQuery = <Row>(db: Db, route: RouteWindow, columns: RawBuilder<unknown>) => {
  const { walk, limit, offset = 0 } = route
  const ranges = rangesAfter(route)
  const value = sql.ref(columnOf(walk))
  const keys = walk.starredFirst ? sql`${value}, starred` : value
  const carried = ranges.length > 1 ? sql`${columns}, ${keys}` : columns
  const parts = ranges.map((range) => rangeQuery(db, route, range, carried))
  const sorted = { order: orderBy(walk), limit: limit < 0 ? Number.MAX_SAFE_INTEGER : limit }
  const rows = parts.length === 1 ? parts[0] : dialectOf(db).union(parts, sorted, offset)
  return sql<Row>`${rows} ORDER BY ${sorted.order} LIMIT ${sorted.limit} OFFSET ${offset}`
}

export const rangeQuery = (db: Db, route: Route, range: Range, columns: RawBuilder<unknown>) => {
  const { selection, walk, after, where = [] } = route
  const conditions = [
    sql<boolean>`deleted_at IS NULL`,
    sql<boolean>`kind = ${range.kind}`,
    ...(walk.by === 'duration' ? [isVideo] : []),
    ...conditionsOf({ ...selection, starred: range.starred ?? selection.starred }),
    ...(after === undefined || isEntirelyAfter(range, after, walk)
      ? []
      : [isAfterKey(after, range, walk)]),
    ...where,
  ]
  const index = indexOf(walk, selection.board === null ? 'all' : 'board')
  return sql`SELECT ${columns} FROM images ${dialectOf(db).indexedBy(index)}
    WHERE ${sql.join(conditions, sql` AND `)}`
}

/** With starred images first, no starred image comes after an unstarred key. */
const rangesAfter = ({ ranges, after, walk }: Route): readonly Range[] =>
  after === undefined || !walk.starredFirst
    ? ranges
    : ranges.filter(({ starred }) => starred === null || starred <= after.starred)

/** With starred images first, a range of unstarred images is entirely after a starred key. */
const isEntirelyAfter = (range: Range, after: OrderKey, { starredFirst }: Walk) =>
  starredFirst && range.starred !== null && range.starred < after.starred

/** Returns a condition for the row with this key. Keys of an order that ignores stars have no star to compare. */
export const isAtKey = ({ starred, value, id }: OrderKey, order: Order, hasStar: boolean) => {
  const isHere = sql<boolean>`${sql.ref(columnOf(order))} = ${value} AND id = ${id}`
  return hasStar ? sql<boolean>`starred = ${starred} AND ${isHere}` : isHere
}

const isAfterKey = (key: OrderKey, range: Range, walk: Walk) => {
  const compare = (walk.dir === 'DESC') !== walk.isBackwards ? sql`<` : sql`>`
  const column = sql.ref(columnOf(walk))
  return walk.starredFirst && range.starred === null
    ? sql<boolean>`(starred, ${column}, id) ${compare} (${key.starred}, ${key.value}, ${key.id})`
    : sql<boolean>`(${column}, id) ${compare} (${key.value}, ${key.id})`
}
