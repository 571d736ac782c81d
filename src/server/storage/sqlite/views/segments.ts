import type { Flag } from '#server/storage/sqlite/tables.ts'
import type { Order } from './order.ts'
import { type Range, rangesOf } from './ranges.ts'
import { type Count, totalOf } from './selection.ts'

/** A run of a view: its ranges are merged with each other, and with those of no other segment. */
export interface Segment {
  ranges: Range[]
  /** null: starred images and others. */
  starred: Flag | null
  total: number
}

/** The segments of a view, one after the other. How long each is, is known without a look at its rows. */
export const segmentsOf = (counts: readonly Count[], order: Order): Segment[] => {
  const ranges = rangesOf(counts, order)
  if (!order.starredFirst) return [{ ranges, starred: null, total: totalOf(counts) }]
  const stars = [...new Set(ranges.map(({ starred }) => starred))].sort(
    (a, b) => (b ?? 0) - (a ?? 0),
  )
  return stars.map((star) => ({
    ranges: ranges.filter(({ starred }) => starred === star),
    starred: star,
    total: totalOf(counts.filter(({ starred }) => star === null || starred === star)),
  }))
}

/** Reads a part of a view by position, from whichever segments it lies in. `limit` -1: all behind `offset`. */
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
