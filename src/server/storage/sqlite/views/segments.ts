import type { Flag } from '#server/storage/sqlite/tables.ts'
import type { Order } from './order.ts'
import { type Range, rangesOf } from './ranges.ts'
import { type Count, totalOf } from './selection.ts'

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

/** Reads a part of a view by position, which may span several segments. `limit` -1: all after `offset`. */
export const acrossSegments = async <T>(
  segments: readonly Segment[],
  { offset, limit }: { offset: number; limit: number },
  read: (segment: Segment, offset: number, limit: number) => Promise<T[]>,
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
