import type { OpenedView } from './opened-view.ts'

/** Rows of an index that are read in less than a millisecond. */
const SHORT_WALK = 10_000

/**
 * A view whose filter leaves rows out along its index. Where a position is far along, counted in rows
 * that are passed to reach it, the ids of the view are kept instead.
 *
 * @param whole - How many rows there are without the filter.
 */
export const thinView = (
  indexed: OpenedView,
  whole: number,
  keep: () => Promise<OpenedView>,
): OpenedView => {
  const rowsForEach = whole / indexed.total
  const isShort = (offset: number, limit: number) => {
    if (limit < 0) return true
    const nearer = Math.min(offset, Math.max(0, indexed.total - offset - limit))
    return (nearer + limit) * rowsForEach <= SHORT_WALK
  }
  return {
    ...indexed,
    slice: async (offset, limit) =>
      (isShort(offset, limit) ? indexed : await keep()).slice(offset, limit),
    behind: async (key, limit) => (isShort(0, limit) ? indexed : await keep()).behind(key, limit),
  }
}
