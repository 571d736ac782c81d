import { sql } from 'kysely'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import { NAMES_PER_PART } from '#server/storage/sql/packed-names.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Calendar, DayCounts } from './calendar.ts'
import { type OpenedView, selectOrderKeys } from './opened-view.ts'
import { isBefore, type Order, type OrderKey } from './order.ts'

/** Returns a view with computed ids, in its order. */
export const computedView = (db: Db, order: Order, ids: Uint32Array): OpenedView => {
  const slice = (offset: number, limit: number) => [
    ...ids.subarray(offset, limit < 0 ? ids.length : offset + limit),
  ]

  /** Returns the number of images before the first one for which `isReached` is true. */
  const countBefore = async (isReached: (key: OrderKey) => boolean): Promise<number> => {
    let from = 0
    let to = ids.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (isReached(await keyOf(db, order, ids[middle]))) to = middle
      else from = middle + 1
    }
    return from
  }

  const countStarred = () => countBefore(({ starred }) => starred === 0)

  return {
    total: ids.length,
    totalBytes: null,
    videoCount: null,
    countStarred,
    ids: async () => ids,
    slice: async (offset, limit) => slice(offset, limit),
    names: async function* (offset, limit) {
      const end = limit < 0 ? ids.length : Math.min(ids.length, offset + limit)
      for (let from = offset; from < end; from += NAMES_PER_PART)
        yield await namesOfIds(db, slice(from, Math.min(NAMES_PER_PART, end - from)))
    },
    idsAfter: async (key, limit) =>
      // The best matches have no keys that could be compared.
      order.by === 'relevance'
        ? slice(ids.indexOf(key.id) + 1, limit)
        : slice(await countBefore((other) => isBefore(key, other, order)), limit),
    positionOf: async ({ id }) => {
      const position = ids.indexOf(id)
      return position < 0 ? null : position
    },
    countDays: async (calendar, { hasStarsApart }) => {
      const starredCount = hasStarsApart ? await countStarred() : 0
      return countDaysOfIds(db, order, ids.subarray(starredCount), calendar)
    },
  }
}

export const emptyViewOf = (db: Db, order: Order): OpenedView => ({
  ...computedView(db, order, new Uint32Array()),
  totalBytes: 0,
  videoCount: 0,
})

const keyOf = (db: Db, order: Order, id: number | undefined): Promise<OrderKey> =>
  selectOrderKeys(db, order)
    .where('id', '=', id ?? -1)
    .executeTakeFirstOrThrow()

const namesOfIds = async (db: Db, ids: readonly number[]): Promise<string> => {
  const { rows } = await sql<{ names: string }>`
    SELECT ${dialectOf(db).jsonArray('image_name')} AS names
    FROM (SELECT image_name FROM ${dialectOf(db).rows(
      ['integer'],
      ids.map((id) => [id]),
    )} AS given
      CROSS JOIN images WHERE images.id = given.c0 ORDER BY given.at) AS named`.execute(db)
  return rows[0]?.names ?? '[]'
}

/**
 * Counts the days of images that are sorted by date. A run is skipped if both ends are on the same day, and
 * otherwise halved: for a million images some ten thousand rows are read.
 */
const countDaysOfIds = async (db: Db, order: Order, ids: Uint32Array, calendar: Calendar) => {
  const counts: DayCounts = new Map()
  let runs = ids.length === 0 ? [] : [{ first: 0, last: ids.length - 1 }]
  while (runs.length > 0) {
    const ends = runs.flatMap(({ first, last }) => [ids[first] ?? -1, ids[last] ?? -1])
    const days = await daysOfIds(db, order, ends, calendar)
    const halves: typeof runs = []
    for (const { first, last } of runs) {
      const day = days.get(ids[first] ?? -1)
      if (day !== undefined && day === days.get(ids[last] ?? -1)) {
        counts.set(day, (counts.get(day) ?? 0) + last - first + 1)
      } else if (first < last) {
        const middle = (first + last) >>> 1
        halves.push({ first, last: middle }, { first: middle + 1, last })
      }
    }
    runs = halves
  }
  return counts
}

const daysOfIds = async (db: Db, order: Order, ids: readonly number[], { dayOf }: Calendar) => {
  const keys = await selectOrderKeys(db, order)
    .where(isOneOf(db, 'id', ids))
    .execute()
  return new Map(keys.map(({ id, value }) => [id, dayOf(Number(value))]))
}
