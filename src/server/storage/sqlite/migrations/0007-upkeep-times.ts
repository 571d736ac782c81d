import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Times that upkeep remembers between runs. */
export const upkeepTimes: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      CREATE TABLE upkeep_times (
        name TEXT PRIMARY KEY,
        at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`.execute(db)
  },
}
