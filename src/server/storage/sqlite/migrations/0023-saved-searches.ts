import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Searches that people save. `filter` is JSON. */
export const savedSearches: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      CREATE TABLE saved_searches (
        search_id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        icon TEXT,
        query TEXT NOT NULL,
        filter TEXT,
        position TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT`.execute(db)
  },
}
