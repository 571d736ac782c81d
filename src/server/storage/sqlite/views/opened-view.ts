import type { Db } from '#server/storage/sqlite/tables.ts'
import type { Calendar } from './calendar.ts'
import type { DayCounts } from './count-days.ts'
import { columnOf, type Order, type OrderKey } from './order.ts'

/** A view within one transaction. */
export interface OpenedView {
  readonly total: number
  /** Bytes of all files; null for a search, whose images have no counters. */
  readonly totalBytes: number | null
  countStarred(): Promise<number>
  /** Ids by position. `limit` -1: all. */
  slice(offset: number, limit: number): Promise<number[]>
  /** Names by position, as JSON arrays of some thousand each. `limit` -1: all. */
  names(offset: number, limit: number): AsyncIterable<string>
  /** Ids behind a key, which need not be in the view itself. `limit` -1: all. */
  behind(key: OrderKey, limit: number): Promise<number[]>
  /** null: not in the view. */
  positionOf(key: OrderKey): Promise<number | null>
  /** Days by the date that the view is ordered by, starred images left out where they come first. */
  countDays(calendar: Calendar): Promise<DayCounts>
}

/** A view with nothing in it. */
export const emptyView: OpenedView = {
  total: 0,
  totalBytes: 0,
  countStarred: async () => 0,
  slice: async () => [],
  names: async function* () {},
  behind: async () => [],
  positionOf: async () => null,
  countDays: async () => new Map(),
}

/** Where an image stands in an order. It is there while its row is, in the trash as well. */
export const getOrderKey = async (
  db: Db,
  imageName: string,
  order: Pick<Order, 'by'>,
): Promise<OrderKey | null> => {
  const row = await selectOrderKeys(db, order)
    .where('image_name', '=', imageName)
    .executeTakeFirst()
  return row ?? null
}

export const selectOrderKeys = (db: Db, order: Pick<Order, 'by'>) =>
  db.selectFrom('images').select((eb) => ['id', 'starred', eb.ref(columnOf(order)).as('value')])
