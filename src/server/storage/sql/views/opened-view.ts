import type { Db } from '#server/storage/sql/tables.ts'
import type { Calendar } from './calendar.ts'
import type { DayCounts } from './count-days.ts'
import { columnOf, type Order, type OrderKey } from './order.ts'

export interface OpenedView {
  readonly total: number
  /** Size of all files in bytes. null for a search, because there are no counters for its images. */
  readonly totalBytes: number | null
  countStarred(): Promise<number>
  /** Returns all ids in order. */
  ids(): Promise<Uint32Array>
  /** Returns ids by position. `limit` -1: all. */
  slice(offset: number, limit: number): Promise<number[]>
  /** Yields names by position, as JSON arrays of some thousand each. `limit` -1: all. */
  names(offset: number, limit: number): AsyncIterable<string>
  /** Returns ids after a key, which need not be in the view. `limit` -1: all. */
  idsAfter(key: OrderKey, limit: number): Promise<number[]>
  /** null: not in the view. */
  positionOf(key: OrderKey): Promise<number | null>
  /** Counts days by the date that the view is sorted by, without starred images if they come first. */
  countDays(calendar: Calendar): Promise<DayCounts>
}

/** Returns the sort key of an image. It exists as long as the image's row, also in the trash. */
export const getOrderKey = async (db: Db, imageName: string, order: Pick<Order, 'by'>) => {
  const row = await selectOrderKeys(db, order)
    .where('image_name', '=', imageName)
    .executeTakeFirst()
  return row ?? null
}

export const selectOrderKeys = (db: Db, order: Pick<Order, 'by'>) =>
  db.selectFrom('images').select((eb) => ['id', 'starred', eb.ref(columnOf(order)).as('value')])
