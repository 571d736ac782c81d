import { sql } from 'kysely'
import type { Clock } from '#server/core/clock.ts'
import { boundList } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { faultsAsRefusals } from './faults.ts'

/**
 * Names of files that are stored before their rows. A trigger of `images` removes a name in the transaction that
 * commits its row.
 */
export const pendingFilesOf = (db: Db, clock: Clock) => ({
  add: (imageNames: readonly string[]): Promise<void> =>
    faultsAsRefusals(async () => {
      if (imageNames.length === 0) return
      await sql`
        INSERT INTO pending_files (image_name, since)
        SELECT given, ${clock()}::bigint FROM unnest(${imageNames}::text[]) AS given ORDER BY given
        ON CONFLICT (image_name) DO UPDATE SET since = excluded.since`.execute(db)
    }),

  olderThan: (at: number, limit: number): Promise<string[]> =>
    faultsAsRefusals(async () => {
      const { rows } = await sql<{ image_name: string }>`
        SELECT image_name FROM pending_files WHERE since < ${at} ORDER BY since, image_name
        LIMIT ${limit}`.execute(db)
      return rows.map(({ image_name }) => image_name)
    }),

  forget: (imageNames: readonly string[]): Promise<void> =>
    faultsAsRefusals(async () => {
      await sql`DELETE FROM pending_files WHERE image_name IN ${boundList(db, imageNames)}`.execute(
        db,
      )
    }),
})
