import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The files that imports have read, so that the next import can skip them, and an index of the trash by content, so
 * that imports do not bring back images that the user has deleted.
 */
export const imports: Migration = {
  async up(db: Kysely<unknown>) {
    // Half of a SHA-256 of the path: the paths themselves would take up most of the table.
    await sql`
      CREATE TABLE imported_files (
        path_key BLOB PRIMARY KEY,
        bytes INTEGER NOT NULL,
        modified_us INTEGER NOT NULL,
        content_hash BLOB NOT NULL
      ) STRICT, WITHOUT ROWID`.execute(db)
    await sql`
      CREATE INDEX trashed_bytes ON images (substr(content_hash, 1, 8))
        WHERE deleted_at IS NOT NULL`.execute(db)
  },
}
