import { type RawBuilder, sql } from 'kysely'
import { boundList } from '#server/storage/sql/dialect.ts'
import { filterIds } from '#server/storage/sql/id-set.ts'
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
  const unchanged = filterIds(ids, (id) => !changed.has(id))
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM images WHERE id IN ${boundList(db, [...changed])} AND ${matches}`.execute(db)
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

/** Finds the position of each key among sorted ids. All are searched at once, with one query for each halving. */
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
    const middleOf = ({ from, to }: Place) => ids[(from + to) >>> 1] ?? -1
    const middles = await keysOf(db, order, open.map(middleOf))
    for (const place of open) {
      const middle = middles.get(middleOf(place))
      if (middle === undefined || isBefore(place.key, middle, order))
        place.to = (place.from + place.to) >>> 1
      else place.from = ((place.from + place.to) >>> 1) + 1
    }
  }
  return places.sort(
    (one, other) => one.from - other.from || (isBefore(one.key, other.key, order) ? -1 : 1),
  )
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
  const keys = await selectOrderKeys(db, order).where('id', 'in', boundList(db, ids)).execute()
  return new Map(keys.map((key) => [key.id, key as OrderKey]))
}
