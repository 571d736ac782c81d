import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Videos with the same bytes are found like images. */
export const sameVideos: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`DROP INDEX same_bytes`.execute(db)
    await sql`CREATE INDEX same_bytes ON images (substr(content_hash, 1, 8))
      WHERE deleted_at IS NULL AND kind IN (0, 2)`.execute(db)
  },
}
