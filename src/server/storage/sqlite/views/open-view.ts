import { sql } from 'kysely'
import type { View } from '#server/core/images/image-ports.ts'
import type { Anchors } from '#server/storage/sqlite/cache/anchors.ts'
import type { IdSet } from '#server/storage/sqlite/cache/id-set.ts'
import type { Reading } from '#server/storage/sqlite/reading.ts'
import { idsFound } from '#server/storage/sqlite/search/ids-found.ts'
import { searchesOf } from '#server/storage/sqlite/search/search-of.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { countDays } from './count-days.ts'
import { bytesOf, type Count, countSelection, starredOf, totalOf } from './count-selection.ts'
import { keptView } from './kept-view.ts'
import { emptyView, type OpenedView } from './opened-view.ts'
import { columnOf, isIndexStarred, type Order, type OrderKey, orderOf } from './order.ts'
import { rangesOf, unstarredRanges } from './ranges.ts'
import { acrossSegments, segmentsOf } from './segments.ts'
import { isFiltered, type Selection, selectionOf } from './selection.ts'
import { sliceSegment } from './slice-segment.ts'
import { countWalk, walkIds, walkNames } from './walk-index.ts'

/** Opens a view in the way that costs least. */
export const openView = async (reading: Reading, view: View): Promise<OpenedView> => {
  const { db, cache } = reading
  const selection = await selectionOf(db, view)
  if (selection === null) return emptyView
  const counts = await countSelection(db, selection)
  if (counts.length === 0) return emptyView

  await cache.sync(db)
  const order = orderOf(view)
  const inMemory = async (key: unknown, find: () => Promise<IdSet[]>) => {
    const resultKey = JSON.stringify([selection, order, key])
    const work = async () => idsFound(reading, { selection, order }, await find())
    return keptView(db, order, await cache.result(resultKey, work))
  }

  let found = emptyView
  for (const [at, find] of searchesOf(reading, view).entries()) {
    if (find === null) return openWhole(reading, selection, order, counts, inMemory)
    found = await inMemory([view.searchTerm, view.query, at], find)
    if (found.total > 0) return found
  }
  return found
}

/** Opens a view without a search. */
const openWhole = async (
  { db, cache }: Reading,
  selection: Selection,
  order: Order,
  counts: readonly Count[],
  inMemory: (key: unknown, find: () => Promise<IdSet[]>) => Promise<OpenedView>,
): Promise<OpenedView> => {
  if (!isFiltered(selection))
    return indexedView(db, selection, order, counts, () => cache.anchors(db))
  const indexed = indexedView(db, selection, order, counts, null)
  const whole = await countSelection(db, { ...selection, categories: null, origin: null })
  return thinView(indexed, totalOf(whole), () => inMemory('all', async () => []))
}

/** Rows of an index that are read in less than a millisecond. */
const SHORT_WALK = 10_000

/**
 * A view whose filter leaves rows out along its index. Where a position is far along, counted in rows
 * that are passed to reach it, the ids of the view are kept instead.
 *
 * @param whole - How many rows there are without the filter.
 */
const thinView = (
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

/**
 * A view that is read from its index. Totals come from the counters.
 *
 * @param getAnchors - Known places of whole views; null for a filtered one.
 */
const indexedView = (
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
