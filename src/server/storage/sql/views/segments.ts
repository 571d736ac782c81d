import type { Flag, Kind } from '#server/storage/sql/tables.ts'
import { isIndexStarred, type Order } from './order.ts'
import { type Count, totalOf } from './selection.ts'

/** A part of a view that one index contains in the view's order. */
export interface Range {
  kind: Kind
  /** null: both, starred ones first. */
  starred: Flag | null
}

/**
 * Returns the ranges of a view, to be merged by its order. Empty ones are left out, so that the usual view is a
 * single range and needs no merging.
 *
 * No index has starred images first and the oldest first at once, but each half of the index can be read that way.
 * The same applies to an order without stars in an index that has starred images first, and to a view whose images are
 * all starred or all unstarred.
 */
export const rangesOf = (counts: readonly Count[], order: Order): Range[] => {
  const areAlike = new Set(counts.map(({ starred }) => starred)).size === 1
  const isSplit = order.starredFirst ? order.dir === 'ASC' || areAlike : isIndexStarred(order)
  // Counts are distinct by kind and star.
  if (isSplit) return counts.map(({ kind, starred }) => ({ kind, starred }))
  const kinds = new Set(counts.map(({ kind }) => kind))
  return [...kinds].map((kind) => ({ kind, starred: null }))
}

/** Returns the ranges of unstarred images in an index that has starred images first. */
export const unstarredRanges = (counts: readonly Count[]): Range[] =>
  counts.filter(({ starred }) => starred === 0).map(({ kind, starred }) => ({ kind, starred }))

/** A contiguous part of a view. Its ranges are merged with each other, but not with those of other segments. */
export interface Segment {
  ranges: Range[]
  /** null: both starred and unstarred images. */
  starred: Flag | null
  total: number
}

/** Returns the segments of a view in order. Their lengths are known from the counters, without reading rows. */
export const segmentsOf = (counts: readonly Count[], order: Order): Segment[] => {
  const ranges = rangesOf(counts, order)
  if (!order.starredFirst) return [{ ranges, starred: null, total: totalOf(counts) }]
  const byStar = Map.groupBy(ranges, ({ starred }) => starred)
  return [...byStar]
    .sort(([one], [other]) => (other ?? 0) - (one ?? 0))
    .map(([starred, ranges]) => ({
      ranges,
      starred,
      total: totalOf(counts.filter((count) => starred === null || count.starred === starred)),
    }))
}

/** Reads a part of a view by position, which may span several segments, or parts of a view. `limit` -1: all after `offset`. */
export const acrossSegments = async <T, Part extends { total: number } = Segment>(
  segments: readonly Part[],
  { offset, limit }: { offset: number; limit: number },
  read: (segment: Part, offset: number, limit: number) => Promise<T[]>,
): Promise<T[]> => {
  const end = limit < 0 ? Number.POSITIVE_INFINITY : offset + limit
  const parts: T[][] = []
  let start = 0
  for (const segment of segments) {
    const from = Math.max(0, offset - start)
    const to = Math.min(segment.total, end - start)
    if (from < to) parts.push(await read(segment, from, to - from))
    start += segment.total
  }
  return parts.length === 1 ? (parts[0] ?? []) : parts.flat()
}
