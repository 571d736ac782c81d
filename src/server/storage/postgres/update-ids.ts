import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { IdSet } from '#server/storage/sql/id-set.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { selectOrderKeys } from '#server/storage/sql/views/opened-view.ts'
import { isBefore, type Order, type OrderKey } from '#server/storage/sql/views/order.ts'

/**
 * Updates the sorted ids of a search to the current state.
 *
 * @param matches - The conditions of the search on `images`.
 */
export const updateIds = async (
  db: Db,
  order: Order,
  matches: RawBuilder<boolean>,
  ids: Uint32Array,
  changed: ReadonlySet<number>,
): Promise<Uint32Array> => {
  if (changed.size === 0) return ids
  const unchanged = new IdSet(Uint32Array.from(changed)).leaveOut(ids)
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM images WHERE ${isOneOf(db, 'id', [...changed])} AND ${matches}`.execute(db)
  const matching = await keysOf(
    db,
    order,
    rows.map(({ id }) => id),
  )
  const places = await placesOf(db, order, unchanged, [...matching.values()])
  return withInserted(unchanged, places)
}

interface Place {
  key: OrderKey
  /** The key is inserted between these positions. */
  from: number
  to: number
}

/** Limits of the images whose keys one query compares: in total, and for each place. */
const MAX_COMPARED = 1000
const MAX_COMPARED_EACH = 15

/** Finds the position of each key among sorted ids. All are searched at once, a sixteenth of the rest in each step. */
const placesOf = async (
  db: Db,
  order: Order,
  ids: Uint32Array,
  keys: readonly OrderKey[],
): Promise<Place[]> => {
  const places = keys.map((key): Place => ({ key, from: 0, to: ids.length }))
  for (let open = places; ; ) {
    open = open.filter(({ from, to }) => from < to)
    if (open.length === 0) break
    const each = Math.min(MAX_COMPARED_EACH, Math.ceil(MAX_COMPARED / open.length))
    const compared = open.map((place) => ({ place, positions: positionsIn(place, each) }))
    const known = await keysOf(
      db,
      order,
      compared.flatMap(({ positions }) => positions.map((position) => ids[position] ?? -1)),
    )
    for (const { place, positions } of compared) {
      for (const position of positions) {
        const key = known.get(ids[position] ?? -1)
        if (key === undefined || isBefore(place.key, key, order)) {
          place.to = position
          break
        }
        place.from = position + 1
      }
    }
  }
  return places.sort(
    (one, other) => one.from - other.from || (isBefore(one.key, other.key, order) ? -1 : 1),
  )
}

/** Returns up to `count` positions that divide the rest of a place into equal parts, ascending. */
const positionsIn = ({ from, to }: Place, count: number): number[] => {
  const size = to - from
  const most = Math.min(count, size)
  return Array.from({ length: most }, (_, at) => from + Math.floor(((at + 1) * size) / (most + 1)))
}

const withInserted = (ids: Uint32Array, places: readonly Place[]): Uint32Array => {
  const all = new Uint32Array(ids.length + places.length)
  let copied = 0
  for (const [at, { key, from }] of places.entries()) {
    all.set(ids.subarray(copied, from), copied + at)
    all[from + at] = key.id
    copied = from
  }
  all.set(ids.subarray(copied), copied + places.length)
  return all
}

const keysOf = async (db: Db, order: Order, ids: readonly number[]) => {
  const keys = await selectOrderKeys(db, order)
    .where(isOneOf(db, 'id', ids))
    .execute()
  return new Map(keys.map((key) => [key.id, key as OrderKey]))
}
