import type { View } from '#server/core/images/image-ports.ts'
import { isVideoKind } from '#server/storage/sql/codes.ts'
import { MAX_RANKED, newestFirst, rankIds } from '#server/storage/sql/search/rank-matches.ts'
import { searchPartsOf } from '#server/storage/sql/search/search-parts.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { computedView, emptyViewOf } from '#server/storage/sql/views/computed-view.ts'
import { indexedView } from '#server/storage/sql/views/indexed-view.ts'
import type { OpenedView } from '#server/storage/sql/views/opened-view.ts'
import { isPropertyOrder, type Order, orderOf } from '#server/storage/sql/views/order.ts'
import {
  type Count,
  countSelection,
  type Selection,
  selectionOf,
  totalOf,
  withCountedKinds,
} from '#server/storage/sql/views/selection.ts'
import { openByDuration, type ViewPart } from '#server/storage/sql/views/view-parts.ts'
import { allIds, type Listing, matchingIds, type ViewSource } from './matching-ids.ts'
import { bucketPositions } from './order-buckets.ts'
import { findAll, rankedIds, type Search, searchesOf } from './searches-of.ts'

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
  const parts = searchPartsOf(view)
  for (const [at, search] of searchesOf(view, parts, source.remember).entries()) {
    if (search === null && selection.durations === null && !isPropertyOrder(order.by))
      return openWhole(source, selection, order, counts)
    const key = JSON.stringify([selection, order, view.searchTerm, parts, at])
    found = computedView(db, order, await idsOfSearch(listing, search ?? findAll, key))
    if (found.total > 0) return found
  }
  return found
}

const idsOfSearch = async (
  listing: Listing,
  search: NonNullable<Search>,
  key: string,
): Promise<Uint32Array> => {
  const { db, order, remember } = listing
  if (order.by !== 'relevance') return matchingIds(listing, search, key)
  const newest = { ...listing, order: newestFirst }
  const ids = await matchingIds(newest, search, `newest ${key}`)
  return remember(key, async () => {
    const { query, best } = await search(db)
    if (best !== null) return rankIds(db, ids, await best(), order)
    const isRanked = query !== null && ids.length <= MAX_RANKED
    return rankIds(db, ids, isRanked ? await rankedIds(db, ids, query) : null, order)
  })
}

/** Returns the ids of a view in any order. Without a search they are cached in their order. */
export const idsIn = async (source: ViewSource, view: View): Promise<Uint32Array> => {
  const selection = await selectionOf(source.db, view)
  const { words, conditions } = searchPartsOf(view)
  if (selection === null || words !== '' || conditions.length > 0 || view.searchTerm)
    return (await openView(source, view)).ids()
  return allIds({ ...source, selection, order: orderOf(view) })
}

const openWhole = (
  source: ViewSource,
  selection: Selection,
  order: Order,
  counts: readonly Count[],
): Promise<OpenedView> => {
  const open = async (part: ViewPart) => {
    const positions = await positionsIn(source, part)
    return indexedView(source.db, part.selection, part.order, part.counts, positions)
  }
  return order.by === 'duration'
    ? openByDuration(selection, order, counts, open)
    : open({ selection, order, counts })
}

/** A view that buckets do not count is walked from an end. */
const positionsIn = async ({ db, bucketImages }: ViewSource, part: ViewPart) =>
  (await areInBuckets(db, part)) ? async () => bucketPositions(db, bucketImages) : null

/** Buckets count images by category and videos without it, which suffices if all videos are of the categories. */
const areInBuckets = async (db: Db, { selection, order, counts }: ViewPart) => {
  if (selection.origin !== null || order.by === 'duration') return false
  const kinds = selection.kinds.filter(isVideoKind)
  if (selection.categories === null || kinds.length === 0) return true
  const videos = await countSelection(db, { ...selection, kinds, categories: null })
  return totalOf(videos) === totalOf(counts.filter(({ kind }) => isVideoKind(kind)))
}
