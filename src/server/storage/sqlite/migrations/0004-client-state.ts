import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** State that clients store on the server. */
export const clientState: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      CREATE TABLE client_state (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        value TEXT NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT`.execute(db)
  },
}
