import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The log of changes that clients read (`GET /api/v1/changes`). Each unit of work adds one entry. Units that change
 * images or boards run one at a time, so that the numbers have the order of the commits.
 */
export const libraryChanges: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      CREATE TABLE library_changes (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        mark text NOT NULL,
        since text NOT NULL,
        at bigint NOT NULL,
        origin text,
        change text NOT NULL
      )`.execute(db)
  },
}
