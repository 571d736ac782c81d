import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Searches that people save. `filter` is JSON. */
export const savedSearches: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      CREATE TABLE saved_searches (
        search_id text COLLATE "C" NOT NULL PRIMARY KEY,
        name text NOT NULL,
        icon text,
        query text NOT NULL,
        filter text,
        position text,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL
      )`.execute(db)
  },
}
