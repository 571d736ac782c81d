import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Videos are rows of `images`. `is_intermediate` becomes `kind`, which has the values 2 and 3 for videos. It is the first
 * column of the indexes and counters, so that lists of images do not read videos. The buckets of the orders count images
 * only.
 */
export const videos: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['images', 'image_counts'])
      await sql`ALTER TABLE ${sql.table(table)} RENAME COLUMN is_intermediate TO kind`.execute(db)
    for (const column of [
      'duration bigint',
      'frame_rate bigint',
      'codec text',
      'has_sound smallint',
    ])
      await sql.raw(`ALTER TABLE images ADD COLUMN ${column}`).execute(db)
    for (const [index, column] of trashIndexes) {
      await sql`DROP INDEX ${sql.ref(index)}`.execute(db)
      await sql`CREATE INDEX ${sql.ref(index)} ON images (${sql.ref(column)} DESC, id DESC) INCLUDE (kind)
        WHERE deleted_at IS NOT NULL`.execute(db)
    }
    await replaceFunctions(db)
  },
}

/** The trash lists images only, so its indexes have the kind too. */
const trashIndexes = [
  ['trashed', 'deleted_at'],
  ['trashed_created', 'created_at'],
  ['trashed_dated', 'dated_at'],
  ['trashed_name', 'name_key'],
  ['trashed_size', 'file_size'],
] as const

/** PostgreSQL stores the body of a function as text, so renaming a column does not change it. */
const replaceFunctions = async (db: Kysely<unknown>): Promise<void> => {
  const { rows } = await sql<{ name: string; definition: string }>`
    SELECT proname AS name, pg_get_functiondef(oid) AS definition FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prosrc LIKE '%is_intermediate%'`.execute(
    db,
  )
  for (const { name, definition } of rows) {
    const renamed = definition.replaceAll('is_intermediate', 'kind')
    const isOfBuckets = name.startsWith('place_') || name === 'fill_order_buckets'
    const replaced = isOfBuckets
      ? renamed.replaceAll(
          'WHERE deleted_at IS NULL',
          'WHERE deleted_at IS NULL AND kind IN (0, 1)',
        )
      : renamed
    await sql.raw(replaced).execute(db)
  }
}
