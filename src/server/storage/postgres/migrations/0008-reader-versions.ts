import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the version of the reader that read the metadata of each image. Images of earlier versions have 0. The index
 * finds the next images to read again, the newest first.
 */
export const readerVersions: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`ALTER TABLE images ADD COLUMN reader_version integer NOT NULL DEFAULT 0`.execute(db)
    await sql`CREATE INDEX by_reader ON images (reader_version, id DESC)`.execute(db)
  },
}
