import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Videos are rows of `images`. `is_intermediate` becomes `kind`, which has the values 2 and 3 for videos. It is the first
 * column of the indexes and counters, so that they need no change and lists of images do not read videos.
 */
export const videos: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['images', 'image_counts', 'image_changes'])
      await sql`ALTER TABLE ${sql.table(table)} RENAME COLUMN is_intermediate TO kind`.execute(db)
    for (const column of [
      'duration INTEGER',
      'frame_rate INTEGER',
      'codec TEXT',
      'has_sound INTEGER',
    ])
      await sql.raw(`ALTER TABLE images ADD COLUMN ${column}`).execute(db)
    for (const [index, columns] of trashIndexes) {
      await sql`DROP INDEX ${sql.ref(index)}`.execute(db)
      await sql`CREATE INDEX ${sql.ref(index)} ON images (${sql.raw(columns)}, kind)
        WHERE deleted_at IS NOT NULL`.execute(db)
    }
  },
}

/** The trash lists images only, so its indexes have the kind too. */
const trashIndexes = [
  ['trashed', 'deleted_at DESC, id DESC'],
  ['trashed_created', 'created_at DESC, id DESC, deleted_at'],
  ['trashed_dated', 'dated_at DESC, id DESC, deleted_at'],
  ['trashed_name', 'name_key DESC, id DESC, deleted_at'],
  ['trashed_size', 'file_size DESC, id DESC, deleted_at'],
] as const
