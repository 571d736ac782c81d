import type { View } from '#server/core/images/image-ports.ts'
import { isVideoKind } from '#server/storage/sql/codes.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { computedView, emptyViewOf } from '#server/storage/sql/views/computed-view.ts'
import { indexedView } from '#server/storage/sql/views/indexed-view.ts'
import type { OpenedView } from '#server/storage/sql/views/opened-view.ts'
import { orderOf } from '#server/storage/sql/views/order.ts'
import {
  type Count,
  countSelection,
  type Selection,
  selectionOf,
  totalOf,
  withCountedKinds,
} from '#server/storage/sql/views/selection.ts'
import { matchingIds, type ViewSource } from './matching-ids.ts'
import { bucketPositions } from './order-buckets.ts'
import { searchesOf } from './searches-of.ts'

export const openView = async (source: ViewSource, view: View): Promise<OpenedView> => {
  const { db } = source
  const order = orderOf(view)
  const emptyView = emptyViewOf(db, order)
  const wanted = await selectionOf(db, view)
  if (wanted === null) return emptyView
  const counts = await countSelection(db, wanted)
  if (counts.length === 0) return emptyView
  const selection = withCountedKinds(wanted, counts)

  const listing = { ...source, selection, order }
  let found: OpenedView = emptyView
  for (const [at, search] of searchesOf(view).entries()) {
    if (search === null)
      return indexedView(db, selection, order, counts, await positionsIn(source, selection, counts))
    const key = JSON.stringify([selection, order, view.searchTerm, view.query, at])
    found = computedView(db, order, await matchingIds(listing, search, key))
    if (found.total > 0) return found
  }
  return found
}

/** A view that buckets do not count is walked from an end. */
const positionsIn = async (
  { db, bucketImages }: ViewSource,
  selection: Selection,
  counts: readonly Count[],
) =>
  (await areInBuckets(db, selection, counts)) ? async () => bucketPositions(db, bucketImages) : null

/** Buckets count images by category and videos without it, which suffices if all videos are of the categories. */
const areInBuckets = async (db: Db, selection: Selection, counts: readonly Count[]) => {
  if (selection.origin !== null) return false
  const kinds = selection.kinds.filter(isVideoKind)
  if (selection.categories === null || kinds.length === 0) return true
  const videos = await countSelection(db, { ...selection, kinds, categories: null })
  return totalOf(videos) === totalOf(counts.filter(({ kind }) => isVideoKind(kind)))
}
