import { sql } from 'kysely'
import { type Anchor, type Anchors, anchorsAround } from '#server/storage/sqlite/cache/anchors.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { columnOf, type Order, type OrderKey } from './order.ts'
import type { Segment } from './segments.ts'
import type { Selection } from './selection.ts'
import { countWalk, type Route, walkIds, walkToKey } from './walk-index.ts'

interface SlicedSegment {
  db: Db
  selection: Selection
  order: Order
  segment: Segment
  /** Absent: the walk starts at an end of the segment. */
  anchors: Anchors | undefined
}

/**
 * Returns the ids of a segment by position. The cost of an offset grows with the number of skipped rows, so the walk
 * starts at the nearest anchor.
 */
export const sliceSegment = async (
  sliced: SlicedSegment,
  from: number,
  size: number,
): Promise<number[]> => {
  const { selection, order, segment, anchors } = sliced
  const part = { selection, order, starred: segment.starred }
  const known = anchors?.of(part) ?? []
  const { below, above } = anchorsAround(known, from, from + size)
  const skipped = from - (below?.count ?? 0)
  const skippedBackwards = (above?.count ?? segment.total) - from - size
  return skipped <= skippedBackwards
    ? sliceForwards(sliced, known, below, { skipped, size })
    : sliceBackwards(sliced, known, above, { skipped: skippedBackwards, size })
}

const sliceForwards = async (
  { db, selection, order, segment, anchors }: SlicedSegment,
  known: Anchor[],
  below: Anchor | undefined,
  { skipped, size }: { skipped: number; size: number },
): Promise<number[]> => {
  const route = { selection, ranges: segment.ranges, walk: { ...order, isBackwards: false } }
  const stride = anchors?.stride ?? Number.POSITIVE_INFINITY
  let after = below?.key
  let count = below?.count ?? 0
  let left = skipped
  while (left > stride) {
    const key = await walkToKey(db, routeAfter(route, after), stride - 1)
    if (key === undefined) break
    after = key
    count += stride
    left -= stride
    anchors?.add(known, { key, count })
  }
  return walkIds(db, { ...routeAfter(route, after), limit: size, offset: left })
}

const sliceBackwards = async (
  { db, selection, order, segment, anchors }: SlicedSegment,
  known: Anchor[],
  above: Anchor | undefined,
  { skipped, size }: { skipped: number; size: number },
): Promise<number[]> => {
  const route = { selection, ranges: segment.ranges, walk: { ...order, isBackwards: true } }
  const stride = anchors?.stride ?? Number.POSITIVE_INFINITY
  let after = above?.key
  let count = above?.count ?? segment.total
  let left = skipped
  // The image of the anchor may have left the view. If it is still there, a backward walk must not count it again.
  if (
    above !== undefined &&
    (await countWalk(db, { ...route, where: [isAt(above.key, order)] })) > 0
  ) {
    count -= 1
    left -= 1
  }
  while (left > stride) {
    const key = await walkToKey(db, routeAfter(route, after), stride - 1)
    if (key === undefined) break
    anchors?.add(known, { key, count: count - stride + 1 })
    after = key
    count -= stride
    left -= stride
  }
  const ids = await walkIds(db, { ...routeAfter(route, after), limit: size, offset: left })
  return ids.reverse()
}

const routeAfter = (route: Route, key: OrderKey | undefined): Route =>
  key === undefined ? route : { ...route, after: key }

/** Returns a condition for the row with this key. If the order ignores stars, so does the condition. */
const isAt = ({ starred, value, id }: OrderKey, order: Order) => {
  const isHere = sql<boolean>`${sql.ref(columnOf(order))} = ${value} AND id = ${id}`
  return order.starredFirst ? sql<boolean>`(starred = ${starred} AND ${isHere})` : isHere
}
