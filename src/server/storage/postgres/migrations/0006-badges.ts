import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the values of the badges to the row of each image, so that lists need not read metadata or files. Whether an
 * earlier image is animated stays unknown: only its file tells.
 *
 * A pattern finds the generator, because PostgreSQL fails on texts that are not JSON. Quotes inside a text of the
 * metadata are escaped, so they do not match.
 */
export const badges: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`ALTER TABLE images ADD COLUMN is_animated smallint`.execute(db)
    await sql`ALTER TABLE images ADD COLUMN generator text`.execute(db)
    await sql`
      UPDATE images SET generator = CASE
        WHEN normal IS NULL THEN 'invokeai'
        ELSE substring(normal FROM '"generator":"(invokeai|a1111|comfyui|camera)"')
      END
      FROM image_metadata
      WHERE image = images.id AND (normal IS NOT NULL OR invokeai IS NOT NULL)`.execute(db)
  },
}
