import type { Flag } from '#server/storage/sqlite/tables.ts'
import { isIndexStarred, type Order } from './order.ts'
import type { Count } from './selection.ts'

/** A part of a view that one index contains in the view's order. */
export interface Range {
  is_intermediate: Flag
  /** null: both, starred ones first. */
  starred: Flag | null
}

/**
 * Returns the ranges of a view, to be merged by its order. Empty ones are left out, so that the usual view is a
 * single range and needs no merging.
 *
 * No index has starred images first and the oldest first at once, but each half of the index can be read that way.
 * The same applies to an order without stars in an index that has starred images first.
 */
export const rangesOf = (counts: readonly Count[], order: Order): Range[] => {
  const isSplit = order.starredFirst ? order.dir === 'ASC' : isIndexStarred(order)
  // Counts are distinct by kind and star.
  if (isSplit) return counts.map(({ is_intermediate, starred }) => ({ is_intermediate, starred }))
  const kinds = new Set(counts.map(({ is_intermediate }) => is_intermediate))
  return [...kinds].map((is_intermediate) => ({ is_intermediate, starred: null }))
}

/** Returns the ranges of unstarred images in an index that has starred images first. */
export const unstarredRanges = (counts: readonly Count[]): Range[] =>
  counts
    .filter(({ starred }) => starred === 0)
    .map(({ is_intermediate, starred }) => ({ is_intermediate, starred }))
