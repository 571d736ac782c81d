import { type RawBuilder, sql } from 'kysely'
import { dialectOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { type Calendar, DAY_MS } from './calendar.ts'
import { columnOf } from './order.ts'
import type { Range } from './segments.ts'
import { type Route, rangeQuery } from './walk-index.ts'

/** The number of images by day number. Days without images are left out; the others are unordered. */
export type DayCounts = Map<number, number>

/**
 * Counts the days of a route from its index: first finds the UTC days that have images by jumping from one to the
 * next, then counts the rows between the midnights of the time zone. Each row is counted once, and no row is read.
 */
export const countDays = async (db: Db, route: Route, calendar: Calendar): Promise<DayCounts> => {
  const counts: DayCounts = new Map()
  for (const range of route.ranges) {
    const days = localDays(await utcDaysIn(db, route, range))
    for (const { day, n } of await countBetween(db, route, range, boundsOf(days, calendar)))
      if (n > 0) counts.set(day, (counts.get(day) ?? 0) + n)
  }
  return counts
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

const boundsOf = (days: readonly number[], { startOf }: Calendar) =>
  days.map((day) => [day, startOf(day), startOf(day + 1)] as const)

const countBetween = async (
  db: Db,
  route: Route,
  range: Range,
  bounds: readonly (readonly [day: number, from: number, to: number])[],
): Promise<{ day: number; n: number }[]> => {
  const column = sql.ref(columnOf(route.walk))
  const where = [sql<boolean>`${column} >= bounds.c1`, sql<boolean>`${column} < bounds.c2`]
  const { rows } = await sql<{ day: number; n: number }>`
    SELECT bounds.c0 AS day,
      (${rangeQuery(db, { ...route, where }, range, sql`count(*)`)}) AS n
    FROM ${dialectOf(db).rows(['integer', 'integer', 'integer'], bounds)} AS bounds`.execute(db)
  return rows
}
