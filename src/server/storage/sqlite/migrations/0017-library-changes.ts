import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The log of changes that clients read (`GET /api/v1/changes`). Each unit of work adds one entry. */
export const libraryChanges: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      CREATE TABLE library_changes (
        seq INTEGER PRIMARY KEY,
        mark TEXT NOT NULL,
        since TEXT NOT NULL,
        at INTEGER NOT NULL,
        origin TEXT,
        change TEXT NOT NULL
      ) STRICT`.execute(db)
  },
}
