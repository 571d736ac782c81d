import { isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { selectOrderKeys } from '#server/storage/sql/views/opened-view.ts'
import { isBefore, type Order, type OrderKey } from '#server/storage/sql/views/order.ts'

/** @returns `others` with `inserted` at their positions. All are images of the library, and none is in both. */
export const withInserted = async (
  db: Db,
  order: Order,
  others: Uint32Array,
  inserted: readonly number[],
): Promise<Uint32Array> => {
  const keys = await selectOrderKeys(db, order)
    .where(isOneOf(db, 'id', inserted))
    .execute()
  keys.sort((one, other) => (isBefore(one, other, order) ? -1 : 1))

  const result = new Uint32Array(others.length + keys.length)
  let from = 0
  let count = 0
  for (const key of keys) {
    const to = await placeOf(db, order, others, key)
    result.set(others.subarray(from, to), count)
    count += to - from
    result[count++] = key.id
    from = to
  }
  result.set(others.subarray(from), count)
  return result
}

/** Returns how many of `ids` come before a key. Reads the keys of a few. */
const placeOf = async (db: Db, order: Order, ids: Uint32Array, key: OrderKey): Promise<number> => {
  const keyAt = (at: number) =>
    selectOrderKeys(db, order)
      .where('id', '=', ids[at] ?? -1)
      .executeTakeFirst()
  const last = await keyAt(ids.length - 1)
  if (last !== undefined && isBefore(last, key, order)) return ids.length
  let from = 0
  let to = ids.length
  while (from < to) {
    const middle = (from + to) >>> 1
    const there = await keyAt(middle)
    if (there !== undefined && isBefore(there, key, order)) from = middle + 1
    else to = middle
  }
  return from
}
