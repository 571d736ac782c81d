import type { View } from '#server/core/image-ports.ts'
import type { Reading } from '#server/storage/sqlite/reading.ts'
import { idsFound } from '#server/storage/sqlite/search/ids-found.ts'
import { searchOf } from '#server/storage/sqlite/search/search-of.ts'
import { countSelection, totalOf } from './count-selection.ts'
import { indexedView } from './indexed-view.ts'
import { keptView } from './kept-view.ts'
import { emptyView, type OpenedView } from './opened-view.ts'
import { orderOf } from './order.ts'
import { isFiltered, selectionOf } from './selection.ts'
import { thinView } from './thin-view.ts'

/** Opens a view by the way that costs least for it. */
export const openView = async (reading: Reading, view: View): Promise<OpenedView> => {
  const { db, kept } = reading
  const selection = await selectionOf(db, view)
  const search = await searchOf(db, view)
  if (selection === null || search === 'nothing') return emptyView
  const counts = await countSelection(db, selection)
  if (counts.length === 0) return emptyView

  const order = orderOf(view)
  const key = JSON.stringify([selection, order, view.searchTerm, view.query])
  const keptFrom = async (work: () => Promise<number[]>) =>
    keptView(db, order, await kept.of(db, key, work))

  if (search !== 'none')
    return keptFrom(() => idsFound(db, { selection, order, counts }, search.ids))
  const indexed = indexedView(db, selection, order, counts)
  if (!isFiltered(selection)) return indexed
  const whole = await countSelection(db, { ...selection, categories: null, origin: null })
  return thinView(indexed, totalOf(whole), () => keptFrom(() => indexed.slice(0, -1)))
}
