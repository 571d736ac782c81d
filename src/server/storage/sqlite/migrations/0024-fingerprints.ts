import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Fingerprints of pictures, by which those that look alike are found, and the sets of images that people said are no
 * duplicates. `image_names` is JSON. Stored images get their fingerprints in the background, from their thumbnails.
 */
export const fingerprints: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  `CREATE TABLE image_fingerprints (
    image INTEGER PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
    hash_high INTEGER NOT NULL,
    hash_low INTEGER NOT NULL,
    colors_top INTEGER NOT NULL,
    colors_middle INTEGER NOT NULL,
    colors_bottom INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE dismissed_duplicates (
    set_key TEXT NOT NULL PRIMARY KEY,
    image_names TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
]
