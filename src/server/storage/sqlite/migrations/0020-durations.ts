import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The order by duration. Its indexes contain only videos, so that they cost nothing for an image. */
export const durations: Migration = {
  async up(db: Kysely<unknown>) {
    for (const scope of ['board', 'all'] as const)
      await sql`CREATE INDEX ${sql.ref(`${scope}_duration`)} ON images
        (kind, ${sql.raw(scope === 'board' ? 'board, ' : '')}starred DESC, duration DESC, id DESC, category, deleted_at)
        WHERE deleted_at IS NULL AND +kind IN (2, 3)`.execute(db)
  },
}
