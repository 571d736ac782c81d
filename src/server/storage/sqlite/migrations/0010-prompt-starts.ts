import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Longer metadata is not parsed here: that would take minutes in a library of workflows. */
const MAX_METADATA_BYTES = 200_000

/**
 * The beginning of each prompt, in the row of its image, so that lists need not read metadata.
 *
 * For a million images with short metadata the update takes 5 s of CPU time.
 */
export const promptStarts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`ALTER TABLE images ADD COLUMN prompt_start TEXT`.execute(db)
    await sql`
      UPDATE images SET prompt_start = (
        SELECT nullif(substr(trim(
          CASE
            WHEN octet_length(coalesce(normal, invokeai)) > ${MAX_METADATA_BYTES} THEN NULL
            WHEN json_valid(normal) THEN normal ->> '$.prompt'
            WHEN normal IS NULL AND json_valid(invokeai) THEN invokeai ->> '$.positive_prompt'
          END
        ), 1, 120), '')
        FROM image_metadata WHERE image = images.id
      )`.execute(db)
  },
}
