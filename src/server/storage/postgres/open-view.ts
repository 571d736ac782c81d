import { type RawBuilder, sql } from 'kysely'
import type { View } from '#server/core/images/image-ports.ts'
import { readIds } from '#server/storage/sql/id-set.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { computedView, emptyViewOf } from '#server/storage/sql/views/computed-view.ts'
import { indexedView } from '#server/storage/sql/views/indexed-view.ts'
import type { OpenedView } from '#server/storage/sql/views/opened-view.ts'
import { type Order, orderBy, orderOf } from '#server/storage/sql/views/order.ts'
import {
  conditionsOf,
  countSelection,
  type Selection,
  selectionOf,
} from '#server/storage/sql/views/selection.ts'
import { bucketPositions } from './order-buckets.ts'
import type { Remember } from './results.ts'
import { type Search, searchesOf } from './searches-of.ts'
import { updateIds } from './update-ids.ts'

export interface ViewSource {
  /** A transaction, which sees one state of the library. */
  db: Db
  remember: Remember
  /** Number of images of a new bucket of `order_buckets`. */
  bucketImages: number
}

export const openView = async (source: ViewSource, view: View): Promise<OpenedView> => {
  const { db, remember } = source
  const order = orderOf(view)
  const emptyView = emptyViewOf(db, order)
  const selection = await selectionOf(db, view)
  if (selection === null) return emptyView
  const counts = await countSelection(db, selection)
  if (counts.length === 0) return emptyView

  const inSelection = (matches: RawBuilder<boolean>): RawBuilder<boolean> => {
    const conditions = [
      sql<boolean>`deleted_at IS NULL`,
      sql<boolean>`is_intermediate IN (${sql.join(selection.kinds)})`,
      ...conditionsOf(selection),
      matches,
    ]
    return sql`${sql.join(conditions, sql` AND `)}`
  }
  const idsOf = (search: NonNullable<Search>, key: string) =>
    remember(
      key,
      async () => sortedIds(db, order, inSelection(await search(db))),
      async (ids, changed) => updateIds(db, order, inSelection(await search(db)), ids, changed),
    )
  let found: OpenedView = emptyView
  for (const [at, search] of searchesOf(view).entries()) {
    if (search === null)
      return indexedView(db, selection, order, counts, positionsIn(source, selection))
    const key = JSON.stringify([selection, order, view.searchTerm, view.query, at])
    found = computedView(db, order, await idsOf(search, key))
    if (found.total > 0) return found
  }
  return found
}

const sortedIds = (db: Db, order: Order, condition: RawBuilder<boolean>): Promise<Uint32Array> =>
  readIds(
    db,
    sql`SELECT id FROM images WHERE ${condition} ORDER BY ${orderBy({ ...order, isBackwards: false })}`,
  )

/** Buckets count each category. A view of one origin is walked from an end. */
const positionsIn = ({ db, bucketImages }: ViewSource, { origin }: Selection) =>
  origin === null ? async () => bucketPositions(db, bucketImages) : null
