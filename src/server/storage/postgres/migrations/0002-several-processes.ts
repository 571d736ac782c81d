import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Lets several processes use one database. A running item has a claim, which its process renews. Leases and ages are
 * measured with the clock of the database, because the clocks of the processes may differ.
 *
 * A pending file that was swept keeps its row with another `state`: a process that was paused between the upload of
 * the file and its commit must not commit the row of a file that is no longer there.
 */
export const severalProcesses: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db as Kysely<unknown>)
  },
}

const statements = [
  `CREATE TABLE queue_claims (
    item bigint PRIMARY KEY REFERENCES queue_items (item_id) ON DELETE CASCADE,
    leased_until timestamptz NOT NULL
  )`,
  `CREATE INDEX queue_running ON queue_items (item_id)
    WHERE status IN ('in_progress', 'waiting')`,
  // One row.
  `CREATE TABLE queue_processors (is_paused boolean NOT NULL)`,
  `INSERT INTO queue_processors VALUES (false)`,

  // 0: pending. 1: a sweep has begun. 2: the sweep has ended.
  `ALTER TABLE pending_files ADD COLUMN state smallint NOT NULL DEFAULT 0`,
  `CREATE INDEX pending_by_age ON pending_files (since, image_name)`,
  // The DELETE waits for a sweep that has marked the row and not yet committed.
  `CREATE OR REPLACE FUNCTION files_with_images() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM pending_files
        WHERE image_name IN (SELECT image_name FROM new_rows) AND state = 0;
      IF EXISTS (
        SELECT FROM pending_files WHERE image_name IN (SELECT image_name FROM new_rows)
      ) THEN
        RAISE EXCEPTION 'the file was set aside' USING ERRCODE = 'TS001';
      END IF;
      RETURN NULL;
    END $$`,
]
