import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** IDs per statement, between two reports of the progress. All are one transaction. */
const IDS_PER_STEP = 20_000

/**
 * Adds the values of the badges to the row of each image, so that lists need not read metadata or files. Whether an
 * earlier image is animated stays unknown: only its file tells.
 *
 * A pattern finds the generator, because PostgreSQL fails on texts that are not JSON. Quotes inside a text of the
 * metadata are escaped, so they do not match.
 */
export const badges = {
  async up(db: Kysely<unknown>, onShare?: (share: number) => void) {
    await sql`ALTER TABLE images ADD COLUMN is_animated smallint`.execute(db)
    await sql`ALTER TABLE images ADD COLUMN generator text`.execute(db)
    const { rows } = await sql<{ last: number | null }>`
      SELECT max(id) AS last FROM images`.execute(db)
    const last = rows[0]?.last ?? 0
    for (let after = 0; after < last; after += IDS_PER_STEP) {
      await sql`
        UPDATE images SET generator = CASE
          WHEN normal IS NULL THEN 'invokeai'
          ELSE substring(normal FROM '"generator":"(invokeai|a1111|comfyui|camera)"')
        END
        FROM image_metadata
        WHERE image = images.id AND (normal IS NOT NULL OR invokeai IS NOT NULL)
          AND images.id > ${after} AND images.id <= ${after + IDS_PER_STEP}
          AND image > ${after} AND image <= ${after + IDS_PER_STEP}`.execute(db)
      onShare?.(Math.min(1, (after + IDS_PER_STEP) / last))
    }
  },
} satisfies Migration
