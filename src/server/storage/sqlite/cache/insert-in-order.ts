import { isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { selectOrderKeys } from '#server/storage/sql/views/opened-view.ts'
import { isBefore, type Order, type OrderKey } from '#server/storage/sql/views/order.ts'

/** Returns the order with these images inserted at their positions. They may have had other positions before. */
export const withInserted = async (
  db: Db,
  order: Order,
  ids: Uint32Array,
  inserted: readonly number[],
): Promise<Uint32Array> => {
  const moved = new Set(inserted)
  const others = ids.filter((id) => !moved.has(id))
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

/** Returns how many of `ids` come before a key. Deleted images have no key, so the search skips them. */
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
    let at = middle
    let there = await keyAt(at)
    while (there === undefined && at < to - 1) {
      at += 1
      there = await keyAt(at)
    }
    if (there === undefined) to = middle
    else if (isBefore(there, key, order)) from = at + 1
    else to = middle
  }
  return from
}
