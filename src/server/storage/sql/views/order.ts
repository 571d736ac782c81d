import { type RawBuilder, sql } from 'kysely'
import type { ImageOrder } from '#contract/image.ts'
import type { View } from '#server/core/images/image-ports.ts'
import { rankingTerm } from '#server/storage/sql/search/ranking-term.ts'
import { searchPartsOf } from '#server/storage/sql/search/search-parts.ts'
import type { Flag, ImagesTable } from '#server/storage/sql/tables.ts'

/** The sort order of a view. The id breaks ties. */
export interface Order {
  by: ImageOrder
  starredFirst: boolean
  dir: 'ASC' | 'DESC'
}

export interface OrderKey {
  starred: Flag
  value: number | string
  id: number
}

/** An order, or its reverse, in which starred images come last. */
export interface Walk extends Order {
  isBackwards: boolean
}

/**
 * Returns the order in which a view is read. Images that are all starred, or all unstarred, have the same order with
 * starred images first, and an index contains it. Without words or a likeness, all matches are equally good.
 */
export const orderOf = (view: View): Order => ({
  by: view.orderBy === 'relevance' && !isRanked(view) ? 'created_at' : view.orderBy,
  starredFirst: view.starredFirst || view.isStarred !== undefined,
  dir: view.orderDir,
})

/** Only words, and conditions on likeness, make one image a better match than another. */
const isRanked = (view: View): boolean => {
  const { words, conditions } = searchPartsOf(view)
  return words !== '' || rankingTerm(conditions) !== null
}

/** Returns the star that all images of a view have; null: both. */
export const starOf = ({ isStarred }: View): Flag | null =>
  isStarred === undefined ? null : isStarred ? 1 : 0

const columns = {
  created_at: 'created_at',
  taken_at: 'dated_at',
  name: 'name_key',
  size: 'file_size',
  duration: 'duration',
} as const satisfies Partial<Record<ImageOrder, keyof ImagesTable>>

type IndexedOrder = keyof typeof columns

/** An order by a property that has no index. Its views are sorted in memory. */
export type PropertyOrder = Exclude<ImageOrder, IndexedOrder | 'relevance'>

export const isPropertyOrder = (by: ImageOrder): by is PropertyOrder =>
  !(by in columns) && by !== 'relevance'

/** Returns the column of `images` that an index sorts by. In the order of duration, only videos have a value there. */
export const columnOf = ({ by }: Pick<Order, 'by'>) => {
  if (!(by in columns)) throw new Error(`No index has the order by ${by}.`)
  return columns[by as IndexedOrder]
}

/** Subtracted from the time of an image, so that it sorts before every duration. Exact in JavaScript from 1741 on. */
export const BEFORE_DURATIONS = 9_000_000_000_000_000

/**
 * Returns the value that an order compares, for images and videos. In the order of duration, images are in the order of
 * the time when they were added, and before all videos. It may refer to the row by `images.id`.
 */
export const sortValueOf = ({ by }: Pick<Order, 'by'>): RawBuilder<number | string> => {
  switch (by) {
    case 'duration':
      return sql`coalesce(duration, created_at - ${sql.lit(BEFORE_DURATIONS)})`
    case 'steps':
    case 'cfg':
      return sql`coalesce((SELECT ${sql.ref(by)} FROM image_properties WHERE image = images.id),
        ${sql.lit(NO_VALUE)})`
    case 'width':
    case 'height':
    case 'rating':
      return sql.ref(by)
    case 'relevance':
      // Among equally good matches, and for an image that the search does not find.
      return sql.ref('created_at')
    default:
      return sql.ref(columnOf({ by }))
  }
}

/** Sorts images without a property before all others. */
const NO_VALUE = -1

/**
 * Returns true if the index of an order has starred images first. The order by creation has indexes of both kinds;
 * for the others one suffices, because merging its two halves gives the order without stars.
 */
export const isIndexStarred = ({ by, starredFirst }: Order): boolean =>
  starredFirst || by !== 'created_at'

/** Returns the index of an order, for one board or for all. */
export const indexOf = (order: Order, scope: 'board' | 'all'): string => {
  if (order.by !== 'created_at') return `${scope}_${order.by === 'taken_at' ? 'taken' : order.by}`
  return `${scope}_${order.starredFirst ? 'starred' : 'created'}`
}

/** Returns the ORDER BY of a walk over rows with `starred`, the order's value and `id`. */
export const orderBy = (
  walk: Walk,
  value: RawBuilder<unknown> = sql.ref(columnOf(walk)),
): RawBuilder<unknown> => {
  const { dir, starredFirst, isBackwards } = walk
  const direction = (dir === 'DESC') !== isBackwards ? sql`DESC` : sql`ASC`
  const byValue = sql`${value} ${direction}, id ${direction}`
  return starredFirst ? sql`starred ${isBackwards ? sql`ASC` : sql`DESC`}, ${byValue}` : byValue
}

export const isBefore = (one: OrderKey, other: OrderKey, { starredFirst, dir }: Order): boolean => {
  if (starredFirst && one.starred !== other.starred) return one.starred > other.starred
  const byValue = compareValues(one.value, other.value) || one.id - other.id
  return dir === 'ASC' ? byValue < 0 : byValue > 0
}

/** Compares texts by bytes, as SQLite does. JavaScript would compare UTF-16. */
const compareValues = (one: OrderKey['value'], other: OrderKey['value']): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
