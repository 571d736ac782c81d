import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Workflows that clients store. */
export const workflows: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      CREATE TABLE workflows (
        workflow_id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        category TEXT NOT NULL,
        tags TEXT NOT NULL,
        is_public INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        opened_at INTEGER,
        workflow TEXT NOT NULL
      ) STRICT`.execute(db)
  },
}
