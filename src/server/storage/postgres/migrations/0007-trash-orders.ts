import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds an index of the trash for each order, so that a page does not sort all of its rows. */
export const trashOrders: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [index, column] of [
      ['trashed_created', 'created_at'],
      ['trashed_dated', 'dated_at'],
      ['trashed_name', 'name_key'],
      ['trashed_size', 'file_size'],
    ] as const)
      await sql`CREATE INDEX ${sql.ref(index)} ON images (${sql.ref(column)} DESC, id DESC)
        WHERE deleted_at IS NOT NULL`.execute(db)
  },
}
