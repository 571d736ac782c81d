import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { addLists, bucketFunctions, orderKey, slotColumn } from './order-bucket-functions.ts'

/**
 * Counts per bucket of each order, so that a position is a sum of counts and a short walk inside one bucket.
 *
 * A list is one order of one board, or of all boards. Its buckets divide its keys, a value and an id, without gaps: a
 * bucket has the images from its first key up to the first key of the next one. A bucket is divided when it has
 * become too large, and removed when it is empty, except the first one of a list. So a list has few buckets, and each is small, whatever the
 * values are: a million images may have one date, one name or one size.
 *
 * Triggers count once per statement, in the order of the buckets, so that concurrent writers cannot deadlock.
 */
export const orderBuckets: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db as Kysely<unknown>)
  },
}

const TEXT = 'text COLLATE "C"'

/** One for each category, with or without intermediates, starred or not. */
const slots = Array.from({ length: 5 * 2 * 2 }, (_, at) => at)

const imageTrigger = (name: string, event: 'INSERT' | 'UPDATE' | 'DELETE') => {
  const rows = [
    ...(event === 'INSERT' ? [] : ['OLD TABLE AS old_rows']),
    ...(event === 'DELETE' ? [] : ['NEW TABLE AS new_rows']),
  ]
  return `CREATE TRIGGER ${name} AFTER ${event} ON images REFERENCING ${rows.join(' ')}
    FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`
}

const boardTrigger = (name: string, event: 'INSERT' | 'DELETE', rows: string, body: string) => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN ${body} RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} ON boards REFERENCING ${rows}
    FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
]

const statements = [
  `CREATE TABLE order_buckets (
    bucket bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ord smallint NOT NULL,
    scope bigint NOT NULL,
    from_text ${TEXT} NOT NULL,
    from_number bigint NOT NULL,
    from_id bigint NOT NULL,
    ${slots.map((slot) => `${slotColumn(slot)} integer NOT NULL DEFAULT 0,`).join(' ')}
    CONSTRAINT order_buckets_by_key UNIQUE (${orderKey})
  ) WITH (fillfactor = 50)`,
  ...bucketFunctions({
    slots,
    slotOfRow: 'category * 4 + is_intermediate * 2 + starred',
    kind: { column: 'is_intermediate', values: [0, 1] },
  }),
  `SELECT fill_order_buckets()`,
  imageTrigger('place_new_images', 'INSERT'),
  imageTrigger('place_old_images', 'DELETE'),
  imageTrigger('place_changed_images', 'UPDATE'),
  ...boardTrigger('place_new_boards', 'INSERT', 'NEW TABLE AS new_rows', addLists('new_rows')),
  ...boardTrigger(
    'place_old_boards',
    'DELETE',
    'OLD TABLE AS old_rows',
    'DELETE FROM order_buckets WHERE scope IN (SELECT id FROM old_rows);',
  ),
]
