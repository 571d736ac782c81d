import { sql } from 'kysely'
import { UNFINISHED } from '#server/storage/postgres/open-records.ts'
import { dialectOf } from '#server/storage/sql/dialect.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import { type CopiedTable, columnsOf, copiedTables, lastKey } from './library-rows.ts'

/** A table of the target with the names of images whose originals could not be copied yet. */
const FAILURES = 'migration_failures'

/** Returns the creation time of a library, which is unique per library. A migration copies it. */
export const libraryIdOf = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    SELECT min(timestamp) AS id FROM kysely_migration`.execute(db)
  return rows[0]?.id ?? ''
}

/**
 * - `empty`: there is no library
 * - `unfinished`: a part of this library is there
 * - `complete`: this library is there
 * - `other`: another library is there, or a part of it
 */
export type TargetState = 'empty' | 'unfinished' | 'complete' | 'other'

export const targetStateOf = async (target: Db, libraryId: string): Promise<TargetState> => {
  if ((await columnsOf(target)).has(UNFINISHED)) {
    const { rows } = await sql<{ library: string }>`
      SELECT library FROM ${sql.table(UNFINISHED)}`.execute(target)
    // A run that was killed at its very beginning has not stored the library yet.
    return [libraryId, undefined].includes(rows[0]?.library) ? 'unfinished' : 'other'
  }
  if ((await libraryIdOf(target)) === libraryId) return 'complete'
  return (await isEmpty(target)) ? 'empty' : 'other'
}

/** A server that was started once on an empty database may have stored the times of its upkeep. */
const isEmpty = async (db: Db): Promise<boolean> => {
  for (const { table, key } of copiedTables) {
    if (table === 'upkeep_times') continue
    const isUsed = table === 'boards' ? sql`WHERE ${sql.ref(key)} <> ${UNCATEGORIZED}` : sql``
    const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} ${isUsed} LIMIT 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}

/** The library that is copied, and the fingerprint of its state when the copy began. */
export interface Mark {
  library: string
  state: string
}

/** Marks an empty target, so that no server opens it before the migration is finished. */
export const createMark = (target: Db): Promise<void> =>
  target.transaction().execute(async (db) => {
    await sql`
      CREATE TABLE ${sql.table(UNFINISHED)} (library text NOT NULL, state text NOT NULL)`.execute(
      db,
    )
    await sql`CREATE TABLE ${sql.table(FAILURES)} (image_name text PRIMARY KEY)`.execute(db)
  })

export const isMarkedWith = async (target: Db, { library, state }: Mark): Promise<boolean> => {
  const { rows } = await sql`
    SELECT 1 FROM ${sql.table(UNFINISHED)}
    WHERE library = ${library} AND state = ${state}`.execute(target)
  return rows.length > 0
}

/** Removes all rows of a marked target. Files stay, since most of them are copied again otherwise. */
export const startFromEmpty = (target: Db, { library, state }: Mark): Promise<void> =>
  target.transaction().execute(async (db) => {
    await sql`DELETE FROM ${sql.table(UNFINISHED)}`.execute(db)
    await sql`INSERT INTO ${sql.table(UNFINISHED)} VALUES (${library}, ${state})`.execute(db)
    await dialectOf(db).clearSearch(db)
    // Even an empty library has the row of the uncategorized board, which is copied too.
    for (const { table } of [{ table: FAILURES }, ...copiedTables.toReversed()])
      await sql`DELETE FROM ${sql.table(table)}`.execute(db)
  })

export const addFailures = async (db: Db, imageNames: readonly string[]): Promise<void> => {
  if (imageNames.length === 0) return
  const values = sql.join(imageNames.map((name) => sql`(${name})`))
  await sql`INSERT INTO ${sql.table(FAILURES)} VALUES ${values}`.execute(db)
}

export const listFailures = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ image_name: string }>`
    SELECT image_name FROM ${sql.table(FAILURES)} ORDER BY image_name`.execute(db)
  return rows.map(({ image_name }) => image_name)
}

export const removeFailure = async (db: Db, imageName: string): Promise<void> => {
  await sql`DELETE FROM ${sql.table(FAILURES)} WHERE image_name = ${imageName}`.execute(db)
}

/** How a database stores the last id that it gave to a table. */
export interface Identities {
  /** Returns 0 if it is not stored: then it is the largest id of the table. */
  get(db: Db, table: CopiedTable): Promise<number>
  set(db: Db, table: CopiedTable, id: number): Promise<void>
}

const tablesWithIds = copiedTables.filter(({ key }) => key === 'id' || key === 'item_id')

/**
 * Ends a migration. The target gets the creation time of the library, and ids that the library used for deleted boards
 * and queue items are not used again.
 */
export const finishMigration = async (
  source: { db: Db; identities: Identities },
  target: { db: Db; identities: Identities },
): Promise<void> => {
  const libraryId = await libraryIdOf(source.db)
  const used = new Map<CopiedTable, number>()
  for (const table of tablesWithIds) used.set(table, await source.identities.get(source.db, table))
  await target.db.transaction().execute(async (db) => {
    for (const [table, id] of used) {
      const last = Number((await lastKey(db, table)) ?? 0)
      await target.identities.set(db, table, Math.max(id, last))
    }
    await sql`UPDATE kysely_migration SET timestamp = ${libraryId}`.execute(db)
    await sql`DROP TABLE ${sql.table(FAILURES)}`.execute(db)
    await sql`DROP TABLE ${sql.table(UNFINISHED)}`.execute(db)
  })
}
