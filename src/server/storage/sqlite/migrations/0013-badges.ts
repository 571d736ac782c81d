import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Longer metadata is not parsed here: that would take minutes in a library of workflows. */
const MAX_METADATA_BYTES = 200_000

/** IDs per statement, between two reports of the progress. All are one transaction. */
const IDS_PER_STEP = 20_000

/**
 * Adds the values of the badges to the row of each image, so that lists need not read metadata or files. Whether an
 * earlier image is animated stays unknown: only its file tells.
 */
export const badges = {
  async up(db: Kysely<unknown>, onShare?: (share: number) => void) {
    await sql`ALTER TABLE images ADD COLUMN is_animated INTEGER`.execute(db)
    await sql`ALTER TABLE images ADD COLUMN generator TEXT`.execute(db)
    const { rows } = await sql<{ last: number | null }>`
      SELECT max(id) AS last FROM images`.execute(db)
    const last = rows[0]?.last ?? 0
    for (let after = 0; after < last; after += IDS_PER_STEP) {
      await sql`
        UPDATE images SET generator = (
          SELECT CASE
              WHEN normal IS NULL THEN iif(invokeai IS NULL, NULL, 'invokeai')
              WHEN octet_length(normal) > ${MAX_METADATA_BYTES} THEN NULL
              WHEN json_valid(normal) THEN normal ->> '$.generator'
            END
          FROM image_metadata WHERE image = images.id
        )
        WHERE id > ${after} AND id <= ${after + IDS_PER_STEP}`.execute(db)
      onShare?.(Math.min(1, (after + IDS_PER_STEP) / last))
    }
  },
} satisfies Migration
