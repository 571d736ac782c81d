import type { View } from '#server/core/images/image-ports.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Calendar, DayCounts } from './calendar.ts'
import { type Order, type OrderKey, orderOf, sortValueOf, starOf } from './order.ts'

export interface OpenedView {
  readonly total: number
  /** Size of all files in bytes. null for a search, because there are no counters for its images. */
  readonly totalBytes: number | null
  /** Number of its videos; null for a search. */
  readonly videoCount: number | null
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
  /**
   * Counts days by the date that the view is sorted by.
   *
   * @param options.hasStarsApart - True if starred images come before the days and are not counted.
   */
  countDays(calendar: Calendar, options: { hasStarsApart: boolean }): Promise<DayCounts>
}

/**
 * Returns the sort key of an image, as if the filter by star matched it. It exists as long as the image's row, also in
 * the trash.
 */
export const getOrderKey = async (
  db: Db,
  imageName: string,
  view: View,
): Promise<OrderKey | null> => {
  const row = await selectOrderKeys(db, orderOf(view))
    .where('image_name', '=', imageName)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, starred: starOf(view) ?? row.starred }
}

export const selectOrderKeys = (db: Db, order: Pick<Order, 'by'>) =>
  db.selectFrom('images').select(['id', 'starred', sortValueOf(order).as('value')])
