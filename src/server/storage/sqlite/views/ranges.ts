import type { Flag } from '#server/storage/sqlite/tables.ts'
import { isIndexStarred, type Order } from './order.ts'
import type { Count } from './selection.ts'

/** A part of a view that one index holds in the view's order. */
export interface Range {
  is_intermediate: Flag
  /** null: both, starred ones first. */
  starred: Flag | null
}

/**
 * The ranges that make up a view, merged by its order. Empty ones are left out, so that the usual view
 * is a single one and needs no merging.
 *
 * Starred first and oldest first at once is no direction of any index, but it is one of each half. So is an
 * order without stars of an index that has them.
 */
export const rangesOf = (counts: readonly Count[], order: Order): Range[] => {
  const isSplit = order.starredFirst ? order.dir === 'ASC' : isIndexStarred(order)
  const ranges = counts.map(({ is_intermediate, starred }) => ({
    is_intermediate,
    starred: isSplit ? starred : null,
  }))
  return ranges.filter(
    (range, at) =>
      ranges.findIndex(
        (other) =>
          other.is_intermediate === range.is_intermediate && other.starred === range.starred,
      ) === at,
  )
}

/** The ranges of what is not starred, of an index that holds starred images first. */
export const unstarredRanges = (counts: readonly Count[]): Range[] =>
  counts
    .filter(({ starred }) => starred === 0)
    .map(({ is_intermediate, starred }) => ({ is_intermediate, starred }))
