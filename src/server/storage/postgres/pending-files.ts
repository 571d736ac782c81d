import { sql } from 'kysely'
import type { PendingFiles } from '#server/core/intake/file-ports.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { faultsAsRefusals } from './faults.ts'

/** How long rows of swept names are refused. No process is paused for so long and goes on. */
const REFUSED_DAYS = 30

/** Milliseconds since 1970 by the clock of the database, which all processes share. */
export const databaseNow = sql<number>`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

/** States of a name. A trigger of `images` refuses rows of names that are not `PENDING`. */
const PENDING = 0
const SWEEPING = 1
const SWEPT = 2

/**
 * Names of files that are stored before their rows. A trigger of `images` removes a name in the transaction that
 * commits its row.
 */
export const pendingFilesOf = (db: Db): PendingFiles => ({
  add: (imageNames) =>
    faultsAsRefusals(async () => {
      if (imageNames.length === 0) return
      await sql`
        INSERT INTO pending_files (image_name, since, state)
        SELECT given, ${databaseNow}, ${sql.lit(PENDING)}
        FROM unnest(${imageNames}::text[]) AS given ORDER BY given
        ON CONFLICT (image_name) DO UPDATE SET since = excluded.since, state = excluded.state`.execute(
        db,
      )
    }),

  sweep: (ageMs, limit) =>
    faultsAsRefusals(async () => {
      const forgottenMs = REFUSED_DAYS * 86_400_000
      await sql`
        DELETE FROM pending_files
        WHERE state = ${sql.lit(SWEPT)} AND since < ${databaseNow} - ${forgottenMs}::bigint`.execute(
        db,
      )
      // A locked name belongs to a row that is being committed.
      const { rows } = await sql<{ image_name: string }>`
        UPDATE pending_files SET state = ${sql.lit(SWEEPING)} WHERE image_name IN (
          SELECT image_name FROM pending_files
          WHERE state < ${sql.lit(SWEPT)} AND since <= ${databaseNow} - ${ageMs}::bigint
          ORDER BY since, image_name LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ) RETURNING image_name`.execute(db)
      return rows.map(({ image_name }) => image_name)
    }),

  endSweep: (imageNames) =>
    faultsAsRefusals(async () => {
      await sql`
        UPDATE pending_files SET state = ${sql.lit(SWEPT)}
        WHERE state = ${sql.lit(SWEEPING)} AND ${isOneOf(db, 'image_name', imageNames)}`.execute(db)
    }),
})
