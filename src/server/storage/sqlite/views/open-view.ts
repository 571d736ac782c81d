import type { View } from '#server/core/images/image-ports.ts'
import { newestFirst, rankIds } from '#server/storage/sql/search/rank-matches.ts'
import { searchPartsOf } from '#server/storage/sql/search/search-parts.ts'
import type { ViewReading } from '#server/storage/sql/unit-types.ts'
import { computedView, emptyViewOf } from '#server/storage/sql/views/computed-view.ts'
import { indexedView } from '#server/storage/sql/views/indexed-view.ts'
import type { OpenedView } from '#server/storage/sql/views/opened-view.ts'
import { isPropertyOrder, type Order, orderOf } from '#server/storage/sql/views/order.ts'
import {
  type Count,
  countSelection,
  isFiltered,
  type Selection,
  selectionOf,
  totalOf,
  withCountedKinds,
} from '#server/storage/sql/views/selection.ts'
import { openByDuration, type ViewPart } from '#server/storage/sql/views/view-parts.ts'
import type { Reading } from '#server/storage/sqlite/cache/read-cache.ts'
import { matchingIdsOf } from '#server/storage/sqlite/search/matching-ids.ts'
import { type FoundSearch, searchesOf } from '#server/storage/sqlite/search/search-of.ts'

/** Returns the first argument of the units of work that read views. */
export const viewReadingOf = (reading: Reading, transfer: ArrayBuffer[] = []): ViewReading => ({
  db: reading.db,
  transfer,
  openView: (view) => openView(reading, view),
  idsIn: (view) => idsIn(reading, view),
  ratios: async (ids) => {
    await reading.cache.sync(reading.db)
    return (await reading.cache.ratios(reading.db)).of(reading.db, ids)
  },
  column: async (name) => {
    await reading.cache.sync(reading.db)
    return reading.cache.column(reading.db, name)
  },
  loras: async () => {
    await reading.cache.sync(reading.db)
    return reading.cache.loras(reading.db)
  },
  tags: async () => {
    await reading.cache.sync(reading.db)
    return reading.cache.tags(reading.db)
  },
  remember: async (key, work) => {
    await reading.cache.sync(reading.db)
    return reading.cache.result(key, work)
  },
})

export const openView = async (reading: Reading, view: View): Promise<OpenedView> => {
  const { db, cache } = reading
  const order = orderOf(view)
  const emptyView = emptyViewOf(db, order)
  const wanted = await selectionOf(db, view)
  if (wanted === null) return emptyView
  const counts = await countSelection(db, wanted)
  if (counts.length === 0) return emptyView
  const selection = withCountedKinds(wanted, counts)

  await cache.sync(db)
  let found: OpenedView = emptyView
  const parts = searchPartsOf(view)
  for (const [at, search] of searchesOf(reading, view, parts).entries()) {
    if (search === null) return openWhole(reading, selection, order, counts)
    const key = [view.searchTerm, parts, at]
    found = await openInMemory(reading, selection, order, { key, ...search })
    if (found.total > 0) return found
  }
  return found
}

/** Returns the ids of a view in any order. Without a search they come from the table in memory. */
const idsIn = async (reading: Reading, view: View): Promise<Uint32Array> => {
  const { db, cache } = reading
  const selection = await selectionOf(db, view)
  const isWhole = selection !== null && selection.origin === null && selection.durations === null
  const { words, conditions } = searchPartsOf(view)
  if (!isWhole || words !== '' || conditions.length > 0 || view.searchTerm)
    return (await openView(reading, view)).ids()
  await cache.sync(db)
  return (await cache.table(db)).unorderedIdsOf(selection)
}

/** Computes and caches the ids of a view. */
const openInMemory = async (
  reading: Reading,
  selection: Selection,
  order: Order,
  { key, find, rank }: FoundSearch & { key: unknown },
): Promise<OpenedView> => {
  const resultKey = JSON.stringify([selection, order, key])
  const work = async () => {
    if (order.by !== 'relevance') return matchingIdsOf(reading, { selection, order }, await find())
    const ids = await matchingIdsOf(reading, { selection, order: newestFirst }, await find())
    return rankIds(reading.db, ids, await rank(), order)
  }
  return computedView(reading.db, order, await reading.cache.result(resultKey, work))
}

const openWhole = async (
  reading: Reading,
  selection: Selection,
  order: Order,
  counts: readonly Count[],
): Promise<OpenedView> => {
  if (selection.durations !== null || isPropertyOrder(order.by))
    return openInMemory(reading, selection, order, everyImage)
  const open = (part: ViewPart) => openIndexed(reading, part)
  return order.by === 'duration'
    ? openByDuration(selection, order, counts, open)
    : open({ selection, order, counts })
}

/** Finds images without a search. */
const everyImage = { key: 'all', find: async () => [], rank: async () => null }

const openIndexed = async (
  reading: Reading,
  { selection, order, counts }: ViewPart,
): Promise<OpenedView> => {
  const { db, cache } = reading
  if (!isFiltered(selection))
    return indexedView(db, selection, order, counts, () => cache.anchors(db))
  const indexed = indexedView(db, selection, order, counts, null)
  const whole = await countSelection(db, { ...selection, categories: null, origin: null })
  return filteredView(indexed, totalOf(whole), () =>
    openInMemory(reading, selection, order, everyImage),
  )
}

/** Number of index rows that are read in less than a millisecond. */
const SHORT_WALK = 10_000

/**
 * Returns a view whose filter skips rows of its index. If reaching a position would skip too many rows, the ids of
 * the view are computed and cached instead.
 *
 * @param whole - Number of rows without the filter.
 */
const filteredView = (
  indexed: OpenedView,
  whole: number,
  compute: () => Promise<OpenedView>,
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
      (isShort(offset, limit) ? indexed : await compute()).slice(offset, limit),
    idsAfter: async (key, limit) =>
      (isShort(0, limit) ? indexed : await compute()).idsAfter(key, limit),
  }
}
