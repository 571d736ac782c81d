import { sql } from 'kysely'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { IdSet, readIds } from '#server/storage/sql/id-set.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { type Order, orderBy, sortValueOf } from '#server/storage/sql/views/order.ts'
import {
  conditionsOf,
  type Durations,
  lastsWithin,
  type Selection,
} from '#server/storage/sql/views/selection.ts'
import type { Reading } from '#server/storage/sqlite/cache/read-cache.ts'

/** Returns the ids of a view that are in all sets. Few are read and sorted; many come from the table in memory. */
export const matchingIdsOf = async (
  { db, cache }: Reading,
  { selection, order }: { selection: Selection; order: Order },
  found: readonly IdSet[],
): Promise<Uint32Array> => {
  const { origin, durations } = selection
  const sets = [...found]
  if (durations !== null) sets.push(await videosLasting(db, selection, durations))
  sets.sort((one, other) => one.size - other.size)
  const [smallest, ...others] = sets
  if (smallest !== undefined && smallest.size <= cache.maxRareMatches) {
    const ids = smallest.ids().filter((id) => others.every((set) => set.has(id)))
    return readSorted(db, selection, order, ids)
  }
  if (origin !== null) sets.push(await imagesOfOrigin({ db, cache }, origin))
  return (await cache.table(db)).idsOf(db, selection, order, sets)
}

const imagesOfOrigin = ({ db, cache }: Pick<Reading, 'db' | 'cache'>, origin: number) =>
  cache.matches(db, `origin ${origin}`, (range) =>
    range === null
      ? sql`SELECT id FROM images WHERE origin = ${origin}`
      : sql`SELECT id FROM images
          WHERE id BETWEEN ${range.first} AND ${range.last} AND +origin = ${origin}`,
  )

/** Reads the videos of a view by their durations, from the index. */
const videosLasting = async (db: Db, { board, kinds }: Selection, durations: Durations) => {
  const [index, onBoard] =
    board === null ? ['all_duration', sql``] : ['board_duration', sql`board = ${board} AND`]
  return new IdSet(
    await readIds(
      db,
      sql`SELECT id FROM images INDEXED BY ${sql.ref(index)} WHERE deleted_at IS NULL
        AND kind IN (${sql.join(kinds)}) AND ${onBoard} starred IN (0, 1) AND ${lastsWithin(durations)}`,
    ),
  )
}

const readSorted = (db: Db, selection: Selection, order: Order, ids: Uint32Array) => {
  const conditions = [
    isOneOf(db, 'id', [...ids]),
    sql<boolean>`deleted_at IS NULL`,
    sql<boolean>`kind IN (${sql.join(selection.kinds)})`,
    ...conditionsOf(selection),
  ]
  return readIds(
    db,
    sql`SELECT id FROM images NOT INDEXED WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY ${orderBy({ ...order, isBackwards: false }, sortValueOf(order))}`,
  )
}
