import type { View } from '#server/core/image-ports.ts'
import type { IdSet } from '#server/storage/sqlite/cache/id-set.ts'
import type { Reading } from '#server/storage/sqlite/reading.ts'
import { idsFound } from '#server/storage/sqlite/search/ids-found.ts'
import { searchesOf } from '#server/storage/sqlite/search/search-of.ts'
import { type Count, countSelection, totalOf } from './count-selection.ts'
import { indexedView } from './indexed-view.ts'
import { keptView } from './kept-view.ts'
import { emptyView, type OpenedView } from './opened-view.ts'
import { type Order, orderOf } from './order.ts'
import { isFiltered, type Selection, selectionOf } from './selection.ts'
import { thinView } from './thin-view.ts'

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
