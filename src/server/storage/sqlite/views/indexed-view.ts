import { sql } from 'kysely'
import type { Anchors } from '#server/storage/sqlite/cache/anchors.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { countDays } from './count-days.ts'
import { bytesOf, type Count, starredOf, totalOf } from './count-selection.ts'
import type { OpenedView } from './opened-view.ts'
import { columnOf, isIndexStarred, type Order, type OrderKey } from './order.ts'
import { rangesOf, unstarredRanges } from './ranges.ts'
import { acrossSegments, segmentsOf } from './segments.ts'
import type { Selection } from './selection.ts'
import { sliceSegment } from './slice-segment.ts'
import { countWalk, walkIds, walkNames } from './walk-index.ts'

/**
 * A view that is read from its index. Totals come from the counters.
 *
 * @param getAnchors - Known places of whole views; null for a filtered one.
 */
export const indexedView = (
  db: Db,
  selection: Selection,
  order: Order,
  counts: readonly Count[],
  getAnchors: (() => Promise<Anchors>) | null,
): OpenedView => {
  const total = totalOf(counts)
  const segments = segmentsOf(counts, order)
  const forwards = { selection, walk: { ...order, isBackwards: false } }
  const whole = { ...forwards, ranges: rangesOf(counts, order) }

  return {
    total,
    totalBytes: bytesOf(counts),
    countStarred: async () => starredOf(counts),
    slice: (offset, limit) =>
      acrossSegments(segments, { offset, limit }, async (segment, from, size) =>
        sliceSegment({ db, selection, order, segment, anchors: await getAnchors?.() }, from, size),
      ),
    names: async function* (offset, limit) {
      const windows = await acrossSegments(
        segments,
        { offset, limit },
        async ({ ranges }, from, size) => [{ ranges, limit: size, offset: from }],
      )
      for (const window of windows) yield* walkNames(db, { ...forwards, ...window })
    },
    behind: (key, limit) => walkIds(db, { ...whole, limit, after: key }),
    positionOf: async (key) => {
      if ((await countWalk(db, { ...whole, where: [isAt(key, order)] })) === 0) return null
      return total - 1 - (await countWalk(db, { ...whole, after: key }))
    },
    countDays: (calendar) => {
      const ranges = order.starredFirst ? unstarredRanges(counts) : whole.ranges
      return countDays(db, { ...whole, ranges }, calendar)
    },
  }
}

/** All columns of the index, so that it leads to the one row. */
const isAt = ({ starred, value, id }: OrderKey, order: Order) => {
  const isHere = sql<boolean>`${sql.ref(columnOf(order))} = ${value} AND id = ${id}`
  return isIndexStarred(order)
    ? sql<boolean>`(starred = ${starred} AND ${isHere})`
    : sql<boolean>`(${isHere})`
}
