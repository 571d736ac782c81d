import { type RawBuilder, sql } from 'kysely'
import { dialectOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { type Calendar, DAY_MS, type DayCounts } from './calendar.ts'
import { columnOf } from './order.ts'
import type { Range } from './segments.ts'
import { type Route, rangeQuery } from './walk-index.ts'

/** A part of an order whose images are counted. The next bucket begins where it ends. */
export interface Bucket {
  /** The key before which no image of the bucket comes. */
  readonly value: number
  readonly id: number
  readonly count: number
}

/** A part of a day: from the first key up to, but not including, the second one. */
type Bounds = readonly [day: number, from: number, fromId: number, to: number, toId: number]

/**
 * Counts the days of a route from its index: first finds the UTC days that have images by jumping from one to the
 * next, then counts the rows between the midnights of the time zone. Each row is counted once, and no row is read.
 * Rows of buckets that are entirely in one day are not counted again.
 *
 * @param buckets - The buckets of the route, in ascending order.
 */
export const countDays = async (
  db: Db,
  route: Route,
  calendar: Calendar,
  buckets: readonly Bucket[] = [],
): Promise<DayCounts> => {
  const days = new Set<number>()
  for (const range of route.ranges)
    for (const day of localDays(await utcDaysIn(db, route, range))) days.add(day)
  const { counts, rest } = countBuckets([...days], calendar, buckets)
  const parts = { bounds: rest, areWholeDays: buckets.length === 0 }
  if (route.ranges.length === 0) return counts
  for (const { day, n } of await countBetween(db, route, parts))
    if (n > 0) counts.set(day, (counts.get(day) ?? 0) + n)
  return counts
}

/** Adds the buckets that are entirely in one day. Returns the parts of the days without them. */
const countBuckets = (
  days: readonly number[],
  { startOf }: Calendar,
  buckets: readonly Bucket[],
): { counts: DayCounts; rest: Bounds[] } => {
  const counts: DayCounts = new Map()
  const rest: Bounds[] = []
  let at = 0
  for (const day of days.toSorted((one, other) => one - other)) {
    const [from, to] = [startOf(day), startOf(day + 1)]
    while ((buckets[at]?.value ?? Number.POSITIVE_INFINITY) < from) at += 1
    const first = buckets[at]
    let sum = 0
    // The images of a bucket can have the same value as the first one of the next.
    for (; (buckets[at + 1]?.value ?? Number.POSITIVE_INFINITY) < to; at += 1)
      sum += buckets[at]?.count ?? 0
    const end = buckets[at]
    if (first === undefined || end === undefined || first === end) {
      rest.push([day, from, 0, to, 0])
      continue
    }
    if (sum > 0) counts.set(day, sum)
    rest.push([day, from, 0, first.value, first.id], [day, end.value, end.id, to, 0])
  }
  return { counts, rest }
}

const utcDaysIn = async (db: Db, route: Route, range: Range): Promise<number[]> => {
  const column = sql.ref(columnOf(route.walk))
  const first = (where: RawBuilder<boolean>[]) =>
    sql`(${rangeQuery(db, { ...route, where }, range, column)} ORDER BY ${column} LIMIT 1)`
  // The remainder of a time before 1970 is negative.
  const nextDay = sql`at - ((at % ${DAY_MS}) + ${DAY_MS}) % ${DAY_MS} + ${DAY_MS}`
  const { rows } = await sql<{ at: number }>`
    WITH RECURSIVE seen (at) AS (
      SELECT ${first([])}
      UNION ALL
      SELECT ${first([sql<boolean>`${column} >= ${nextDay}`])} FROM seen WHERE at IS NOT NULL
    )
    SELECT at FROM seen WHERE at IS NOT NULL`.execute(db)
  return rows.map(({ at }) => Math.floor(at / DAY_MS))
}

/** A UTC day overlaps up to three days of another time zone. */
const localDays = (utcDays: readonly number[]): number[] => [
  ...new Set(utcDays.flatMap((day) => [day - 1, day, day + 1])),
]

const countBetween = async (
  db: Db,
  route: Route,
  { bounds, areWholeDays }: { bounds: readonly Bounds[]; areWholeDays: boolean },
): Promise<{ day: number; n: number }[]> => {
  const column = sql.ref(columnOf(route.walk))
  // SQLite compares keys of two columns half as fast.
  const where = areWholeDays
    ? [sql<boolean>`${column} >= bounds.c1`, sql<boolean>`${column} < bounds.c3`]
    : [
        sql<boolean>`(${column}, id) >= (bounds.c1, bounds.c2)`,
        sql<boolean>`(${column}, id) < (bounds.c3, bounds.c4)`,
      ]
  const counts = route.ranges.map(
    (range) => sql`(${rangeQuery(db, { ...route, where }, range, sql`count(*)`)})`,
  )
  const { rows } = await sql<{ day: number; n: number }>`
    SELECT bounds.c0 AS day, ${sql.join(counts, sql` + `)} AS n
    FROM ${dialectOf(db).rows(['integer', 'integer', 'integer', 'integer', 'integer'], bounds)} AS bounds`.execute(
    db,
  )
  return rows
}
