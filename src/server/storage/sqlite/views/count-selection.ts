import { sql } from 'kysely'
import type { Db, Flag } from '#server/storage/sqlite/tables.ts'
import { conditionsOf, type Selection } from './selection.ts'

/** How many rows a selection holds, and how many bytes their files have, by kind and star. What is not there, is not listed. */
export interface Count {
  is_intermediate: Flag
  starred: Flag
  n: number
  bytes: number
}

/** Counts from the kept counters: it costs the same for any number of images. */
export const countSelection = async (db: Db, selection: Selection): Promise<Count[]> => {
  const conditions = [
    sql<boolean>`is_intermediate IN (${sql.join(selection.kinds)})`,
    ...conditionsOf(selection),
  ]
  const { rows } = await sql<Count>`
    SELECT is_intermediate, starred, sum(n) AS n, sum(bytes) AS bytes FROM image_counts
    WHERE ${sql.join(conditions, sql` AND `)}
    GROUP BY is_intermediate, starred HAVING sum(n) > 0`.execute(db)
  return rows
}

export const totalOf = (counts: readonly Count[]): number =>
  counts.reduce((total, { n }) => total + n, 0)

export const bytesOf = (counts: readonly Count[]): number =>
  counts.reduce((total, { bytes }) => total + bytes, 0)

export const starredOf = (counts: readonly Count[]): number =>
  totalOf(counts.filter(({ starred }) => starred === 1))
