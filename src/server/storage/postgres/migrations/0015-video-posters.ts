import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The time of the frame that the user chose as the poster of a video. */
export const videoPosters: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`ALTER TABLE images ADD COLUMN poster_ms bigint`.execute(db)
  },
}
