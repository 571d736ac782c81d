import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Workflows that clients store. */
export const workflows: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      CREATE TABLE workflows (
        workflow_id text COLLATE "C" NOT NULL PRIMARY KEY,
        name text NOT NULL,
        description text NOT NULL,
        category text NOT NULL,
        tags text NOT NULL,
        is_public smallint NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        opened_at bigint,
        workflow text NOT NULL
      )`.execute(db)
  },
}
