import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The counters of images also sum the bytes of their files, so that the size of a view costs no more than its count.
 */
export const countedBytes: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db as Kysely<unknown>)
  },
}

const columns = ['board', 'is_intermediate', 'category', 'origin', 'starred']
const keys = columns.join(', ')
const keysOf = (row: string) => columns.map((column) => `${row}.${column}`).join(', ')

const countUp = `INSERT INTO image_counts (${keys}, n, bytes)
  VALUES (${keysOf('NEW')}, 1, NEW.file_size)
  ON CONFLICT DO UPDATE SET n = n + 1, bytes = bytes + NEW.file_size;`

const countDown = `UPDATE image_counts SET n = n - 1, bytes = bytes - OLD.file_size
  WHERE (${keys}) = (${keysOf('OLD')});`

const updates = `AFTER UPDATE OF ${keys}, file_size, deleted_at ON images`

/** The triggers that maintain the counters. */
const countTriggers = [
  'image_added',
  'image_removed',
  'image_left_a_count',
  'image_joined_a_count',
] as const

const statements = [
  `ALTER TABLE image_counts ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0`,
  `UPDATE image_counts SET bytes = summed.bytes
    FROM (SELECT ${keys}, sum(file_size) AS bytes FROM images
      WHERE deleted_at IS NULL GROUP BY ${keys}) AS summed
    WHERE (${keysOf('image_counts')}) = (${keysOf('summed')})`,
  ...countTriggers.map((trigger) => `DROP TRIGGER IF EXISTS ${trigger}`),
  `CREATE TRIGGER image_added AFTER INSERT ON images WHEN NEW.deleted_at IS NULL
    BEGIN ${countUp} END`,
  `CREATE TRIGGER image_removed AFTER DELETE ON images WHEN OLD.deleted_at IS NULL
    BEGIN ${countDown} END`,
  `CREATE TRIGGER image_left_a_count ${updates} WHEN OLD.deleted_at IS NULL
    BEGIN ${countDown} END`,
  `CREATE TRIGGER image_joined_a_count ${updates} WHEN NEW.deleted_at IS NULL
    BEGIN ${countUp} END`,
]
