import type { Db } from '#server/storage/sql/tables.ts'
import type { Positions } from './anchors.ts'
import type { Order, OrderKey } from './order.ts'
import type { Segment } from './segments.ts'
import type { Selection } from './selection.ts'
import { countWalk, isAtKey, type Route, walkIds, walkToKey } from './walk-index.ts'

interface SlicedSegment {
  db: Db
  selection: Selection
  order: Order
  segment: Segment
  /** Absent: the walk starts at an end of the segment. */
  positions: Positions | undefined
}

/** Returns ids by position. Skipped rows take time, so the walk starts at the nearest anchor, in either direction. */
export const sliceSegment = async (
  { db, selection, order, segment, positions }: SlicedSegment,
  from: number,
  size: number,
): Promise<number[]> => {
  const part = { selection, order, starred: segment.starred }
  const stride = positions?.stride ?? Number.POSITIVE_INFINITY
  const isFar = Math.min(from, segment.total - from - size) > stride
  const { below, above } = (isFar && (await positions?.around(part, from, from + size))) || {}
  const skipped = from - (below?.count ?? 0)
  const skippedBackwards = (above?.count ?? segment.total) - from - size
  const isBackwards = skippedBackwards < skipped
  const route = { selection, ranges: segment.ranges, walk: { ...order, isBackwards } }

  const start = isBackwards ? above : below
  let after = start?.key
  let count = start?.count ?? (isBackwards ? segment.total : 0)
  let left = isBackwards ? skippedBackwards : skipped
  // The image of the anchor may have left the view. If it is still there, a backward walk must not count it again.
  if (isBackwards && start !== undefined) {
    const isHere = isAtKey(start.key, order, order.starredFirst)
    const there = await countWalk(db, { ...route, where: [isHere] })
    count -= there
    left -= there
  }
  while (left > stride) {
    const key = await walkToKey(db, routeAfter(route, after), stride - 1)
    if (key === undefined) break
    // An anchor counts its own image too.
    positions?.add(part, { key, count: isBackwards ? count - stride + 1 : count + stride })
    after = key
    count += isBackwards ? -stride : stride
    left -= stride
  }
  const ids = await walkIds(db, { ...routeAfter(route, after), limit: size, offset: left })
  return isBackwards ? ids.reverse() : ids
}

const routeAfter = (route: Route, key: OrderKey | undefined): Route =>
  key === undefined ? route : { ...route, after: key }
