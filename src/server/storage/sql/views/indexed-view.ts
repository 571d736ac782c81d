import { sql } from 'kysely'
import { isVideoKind } from '#server/storage/sql/codes.ts'
import { joinIds, readIds } from '#server/storage/sql/id-set.ts'
import type { Db, Flag } from '#server/storage/sql/tables.ts'
import type { Positions } from './anchors.ts'
import { countDays } from './count-days.ts'
import type { OpenedView } from './opened-view.ts'
import { isIndexStarred, type Order } from './order.ts'
import { acrossSegments, type Range, rangesOf, segmentsOf, unstarredRanges } from './segments.ts'
import { bytesOf, type Count, type Selection, starredOf, totalOf } from './selection.ts'
import { sliceSegment } from './slice-segment.ts'
import { countWalk, isAtKey, walkIds, walkNames, walkQuery } from './walk-index.ts'

/**
 * Returns a view that is read from its index. Totals come from the counters.
 *
 * @param getPositions - null: each position is reached by walking from an end.
 */
export const indexedView = (
  db: Db,
  selection: Selection,
  order: Order,
  counts: readonly Count[],
  getPositions: (() => Promise<Positions>) | null,
): OpenedView => {
  const total = totalOf(counts)
  const segments = segmentsOf(counts, order)
  const forwards = { selection, walk: { ...order, isBackwards: false } }
  const whole = { ...forwards, ranges: rangesOf(counts, order) }

  return {
    total,
    totalBytes: bytesOf(counts),
    videoCount: totalOf(counts.filter(({ kind }) => isVideoKind(kind))),
    countStarred: async () => starredOf(counts),
    ids: async () => {
      const parts: Uint32Array[] = []
      for (const { ranges } of segments) {
        const route = { ...forwards, ranges, limit: -1 }
        parts.push(await readIds(db, walkQuery<{ id: number }>(db, route, sql`id`)))
      }
      return joinIds(parts)
    },
    slice: (offset, limit) =>
      acrossSegments(segments, { offset, limit }, async (segment, from, size) =>
        sliceSegment(
          { db, selection, order, segment, positions: await getPositions?.() },
          from,
          size,
        ),
      ),
    names: async function* (offset, limit) {
      const windows = await acrossSegments(
        segments,
        { offset, limit },
        async ({ ranges }, from, size) => [{ ranges, limit: size, offset: from }],
      )
      for (const window of windows) yield* walkNames(db, { ...forwards, ...window })
    },
    idsAfter: (key, limit) => walkIds(db, { ...whole, limit, after: key }),
    positionOf: async (key) => {
      // Compares all columns of the index, so that it finds the single row.
      const isHere = isAtKey(key, order, isIndexStarred(order))
      if ((await countWalk(db, { ...whole, where: [isHere] })) === 0) return null
      const positions = await getPositions?.()
      if (positions?.countUpTo === undefined)
        return total - 1 - (await countWalk(db, { ...whole, after: key }))
      let before = 0
      for (const { ranges, starred, total } of segments) {
        if (starred === null || starred === key.starred)
          return (
            before + (await positions.countUpTo({ selection, order, starred }, ranges, key)) - 1
          )
        before += total
      }
      return null
    },
    countDays: async (calendar, { hasStarsApart }) => {
      const ranges = hasStarsApart ? unstarredRanges(counts) : whole.ranges
      const positions = await getPositions?.()
      const buckets = await positions?.buckets?.({ selection, order, starred: starOfAll(ranges) })
      return countDays(db, { ...whole, ranges }, calendar, buckets)
    },
  }
}

/** Returns the star of all images in some ranges; null: both. */
const starOfAll = (ranges: readonly Range[]): Flag | null => {
  const [first, ...others] = new Set(ranges.map(({ starred }) => starred))
  return others.length === 0 ? (first ?? null) : null
}
