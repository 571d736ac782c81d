import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Boards store when an image was last added to them. At first it is the date of their newest image. */
export const boardOrder: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db as Kysely<unknown>)
  },
}

const statements = [
  `ALTER TABLE boards ADD COLUMN last_added_at INTEGER`,
  `UPDATE boards SET last_added_at = (
    SELECT max(created_at) FROM images
    WHERE is_intermediate = 0 AND board = boards.id AND deleted_at IS NULL
  )`,
]
