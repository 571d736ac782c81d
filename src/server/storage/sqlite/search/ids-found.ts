import { type RawBuilder, sql } from 'kysely'
import { each } from '#server/storage/sqlite/images/named-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import type { Count } from '#server/storage/sqlite/views/count-selection.ts'
import { type Order, orderBy } from '#server/storage/sqlite/views/order.ts'
import { rangesOf } from '#server/storage/sqlite/views/ranges.ts'
import { conditionsOf, type Selection } from '#server/storage/sqlite/views/selection.ts'
import { walkIds } from '#server/storage/sqlite/views/walk-index.ts'

/** Up to so many hits, reading their rows and sorting them costs less than a walk along the view's index. */
const RARE_HITS = 10_000

/**
 * Ids of the images of a view that a search finds, in the view's order. Rare hits lead to their rows;
 * frequent ones are looked up while walking the view's index, which needs no sorting.
 */
export const idsFound = async (
  db: Db,
  view: { selection: Selection; order: Order; counts: readonly Count[] },
  found: RawBuilder<{ id: number }>,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM (${found}) LIMIT ${RARE_HITS + 1}`.execute(db)
  const walk = { ...view.order, isBackwards: false }
  if (rows.length > RARE_HITS) {
    const isFound = sql<boolean>`+id IN (${found})`
    const ranges = rangesOf(view.counts, view.order)
    return walkIds(db, { selection: view.selection, ranges, walk, limit: -1, where: [isFound] })
  }
  return sorted(db, view.selection, sql`ORDER BY ${orderBy(walk)}`, rows)
}

const sorted = async (
  db: Db,
  selection: Selection,
  order: RawBuilder<unknown>,
  hits: readonly { id: number }[],
): Promise<number[]> => {
  const conditions = [
    sql<boolean>`id IN ${each(hits.map(({ id }) => id))}`,
    sql<boolean>`deleted_at IS NULL`,
    sql<boolean>`is_intermediate IN (${sql.join(selection.kinds)})`,
    ...conditionsOf(selection),
  ]
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM images NOT INDEXED WHERE ${sql.join(conditions, sql` AND `)} ${order}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
