import { type RawBuilder, sql } from 'kysely'
import type { ImageOrder } from '#contract/image.ts'
import type { View } from '#server/core/images/image-ports.ts'
import type { Flag, ImagesTable } from '#server/storage/sqlite/tables.ts'

/** In which order a view stands. The id makes it total. */
export interface Order {
  by: ImageOrder
  starredFirst: boolean
  dir: 'ASC' | 'DESC'
}

/** What places an image in an order. */
export interface OrderKey {
  starred: Flag
  /** What the order goes by. */
  value: number | string
  id: number
}

/** An order, or the same backwards: then starred images come last. */
export interface Walk extends Order {
  isBackwards: boolean
}

export const orderOf = (view: View): Order => ({
  by: view.orderBy,
  starredFirst: view.starredFirst,
  dir: view.orderDir,
})

const columns = {
  created_at: 'created_at',
  taken_at: 'dated_at',
  name: 'name_key',
  size: 'file_size',
} as const satisfies Record<ImageOrder, keyof ImagesTable>

/** The column of `images` that an order goes by. */
export const columnOf = ({ by }: Pick<Order, 'by'>) => columns[by]

/**
 * Whether the index of an order holds starred images before the others. That of arrival is there both ways;
 * of the others one will do, as merging its two halves gives the order without stars.
 */
export const isIndexStarred = ({ by, starredFirst }: Order): boolean =>
  starredFirst || by !== 'created_at'

/** The index of an order, for one board or for all. */
export const indexOf = (order: Order, scope: 'board' | 'all'): string => {
  if (order.by !== 'created_at') return `${scope}_${order.by === 'taken_at' ? 'taken' : order.by}`
  return `${scope}_${order.starredFirst ? 'starred' : 'created'}`
}

/** Which way a column is walked. */
const waysOf = ({ dir, isBackwards }: Walk) => ({
  starred: isBackwards ? sql`ASC` : sql`DESC`,
  value: (dir === 'DESC') !== isBackwards ? sql`DESC` : sql`ASC`,
})

/** The ORDER BY of a walk over rows that have starred, the order's column and id. */
export const orderBy = (walk: Walk): RawBuilder<unknown> => {
  const ways = waysOf(walk)
  const byValue = sql`${sql.ref(columnOf(walk))} ${ways.value}, id ${ways.value}`
  return walk.starredFirst ? sql`starred ${ways.starred}, ${byValue}` : byValue
}

/** Whether one image stands before another. */
export const isBefore = (one: OrderKey, other: OrderKey, { starredFirst, dir }: Order): boolean => {
  if (starredFirst && one.starred !== other.starred) return one.starred > other.starred
  const byValue = compareValues(one.value, other.value) || one.id - other.id
  return dir === 'ASC' ? byValue < 0 : byValue > 0
}

/** As SQLite does, which compares the bytes of texts; JavaScript compares UTF-16. */
const compareValues = (one: OrderKey['value'], other: OrderKey['value']): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
