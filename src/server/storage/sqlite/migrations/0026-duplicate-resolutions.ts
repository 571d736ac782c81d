import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The changes by resolutions of duplicates, for a repeated request and for an undo. `undo` is JSON. */
export const duplicateResolutions: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(`CREATE TABLE duplicate_resolutions (
        resolve_id TEXT NOT NULL PRIMARY KEY,
        at INTEGER NOT NULL,
        undo TEXT NOT NULL
      ) STRICT, WITHOUT ROWID`)
      .execute(db)
    await sql
      .raw('CREATE INDEX duplicate_resolutions_by_time ON duplicate_resolutions (at)')
      .execute(db)
  },
}
