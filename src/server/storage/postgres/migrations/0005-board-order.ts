import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Boards store their position in the order by hand, and when an image was last added to them. At first that is the date
 * of their newest image.
 */
export const boardOrder: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db as Kysely<unknown>)
  },
}

const statements = [
  `ALTER TABLE boards ADD COLUMN last_added_at bigint`,
  `ALTER TABLE boards ADD COLUMN position text`,
  `UPDATE boards SET last_added_at = (
    SELECT max(created_at) FROM images
    WHERE is_intermediate = 0 AND board = boards.id AND deleted_at IS NULL
  )`,
]
