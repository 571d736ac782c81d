import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Unfinished imports. After a crash, they are reported at the next start. */
export const importsUnderWay: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      CREATE TABLE imports_under_way (
        folder TEXT PRIMARY KEY,
        import_id TEXT NOT NULL UNIQUE,
        source TEXT NOT NULL,
        boards TEXT NOT NULL,
        board_name TEXT,
        link INTEGER NOT NULL,
        watch INTEGER NOT NULL,
        left_out INTEGER,
        found INTEGER NOT NULL,
        is_counted INTEGER NOT NULL,
        taken_in INTEGER NOT NULL,
        linked INTEGER NOT NULL,
        known INTEGER NOT NULL,
        refused INTEGER NOT NULL,
        started_at INTEGER NOT NULL
      ) STRICT`.execute(db)
  },
}
