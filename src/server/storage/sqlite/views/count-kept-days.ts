import { each } from '#server/storage/sqlite/images/named-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import type { Calendar } from './calendar.ts'
import type { DayCounts } from './count-days.ts'
import { selectOrderKeys } from './get-order-key.ts'
import type { Order } from './order.ts'

/**
 * Counts the days of images that stand in order of date. A run whose ends are of one day is not looked into,
 * any other is halved: of a million images some ten thousand rows are read.
 */
export const countKeptDays = async (
  db: Db,
  order: Order,
  ids: Uint32Array,
  calendar: Calendar,
): Promise<DayCounts> => {
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

const daysOfIds = async (
  db: Db,
  order: Order,
  ids: readonly number[],
  { dayOf }: Calendar,
): Promise<ReadonlyMap<number, number>> => {
  const keys = await selectOrderKeys(db, order).where('id', 'in', each(ids)).execute()
  return new Map(keys.map(({ id, value }) => [id, dayOf(Number(value))]))
}
