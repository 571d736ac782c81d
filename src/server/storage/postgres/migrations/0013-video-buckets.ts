import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { bucketFunctions, slotColumn } from './order-bucket-functions.ts'

/**
 * The buckets of the orders count videos too, so that a position in a list with videos is found as fast as one among
 * images. Videos have four slots, with or without intermediates, starred or not, whatever their category is.
 */
export const videoBuckets: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const videoSlots = [20, 21, 22, 23]

const statements = [
  `ALTER TABLE order_buckets ${videoSlots
    .map((slot) => `ADD COLUMN ${slotColumn(slot)} integer NOT NULL DEFAULT 0`)
    .join(', ')}`,
  ...bucketFunctions({
    slots: [...Array.from({ length: 20 }, (_, at) => at), ...videoSlots],
    slotOfRow: `CASE WHEN kind < 2 THEN category * 4 ELSE 16 END + kind * 2 + starred`,
    kind: { column: 'kind', values: [0, 1, 2, 3] },
  }),
  `SELECT fill_order_buckets()
    WHERE EXISTS (SELECT 1 FROM images WHERE deleted_at IS NULL AND kind IN (2, 3))`,
]
