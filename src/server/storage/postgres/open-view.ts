import { type RawBuilder, sql } from 'kysely'
import type { View } from '#server/core/images/image-ports.ts'
import { readIds } from '#server/storage/sql/id-set.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { computedView, emptyViewOf } from '#server/storage/sql/views/computed-view.ts'
import { indexedView } from '#server/storage/sql/views/indexed-view.ts'
import type { OpenedView } from '#server/storage/sql/views/opened-view.ts'
import { orderBy, orderOf } from '#server/storage/sql/views/order.ts'
import { conditionsOf, countSelection, selectionOf } from '#server/storage/sql/views/selection.ts'
import { searchesOf } from './searches-of.ts'

/** Returns ids that are known since the last change of the library, or reads them. */
export type RememberIds = (key: string, read: () => Promise<Uint32Array>) => Promise<Uint32Array>

export const openView = async (db: Db, remember: RememberIds, view: View): Promise<OpenedView> => {
  const order = orderOf(view)
  const emptyView = emptyViewOf(db, order)
  const selection = await selectionOf(db, view)
  if (selection === null) return emptyView
  const counts = await countSelection(db, selection)
  if (counts.length === 0) return emptyView

  const idsWhere = (matches: RawBuilder<boolean>) => {
    const conditions = [
      sql<boolean>`deleted_at IS NULL`,
      sql<boolean>`is_intermediate IN (${sql.join(selection.kinds)})`,
      ...conditionsOf(selection),
      matches,
    ]
    return readIds(
      db,
      sql`SELECT id FROM images WHERE ${sql.join(conditions, sql` AND `)}
        ORDER BY ${orderBy({ ...order, isBackwards: false })}`,
    )
  }
  let found: OpenedView = emptyView
  for (const [at, search] of searchesOf(view).entries()) {
    if (search === null) return indexedView(db, selection, order, counts, null)
    const key = JSON.stringify([selection, order, view.searchTerm, view.query, at])
    const ids = await remember(key, async () => idsWhere(await search(db)))
    found = computedView(db, order, ids)
    if (found.total > 0) return found
  }
  return found
}
