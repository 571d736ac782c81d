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
    image bigint PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
    hash_high bigint NOT NULL,
    hash_low bigint NOT NULL,
    colors_top integer NOT NULL,
    colors_middle integer NOT NULL,
    colors_bottom integer NOT NULL
  )`,
  `CREATE TABLE dismissed_duplicates (
    set_key text COLLATE "C" NOT NULL PRIMARY KEY,
    image_names text NOT NULL
  )`,
]
