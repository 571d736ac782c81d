import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The queue. The graph and workflow of a batch are stored once, whatever the number of its items. Sessions are
 * stored in a separate table, so that lists of pending items need not read them.
 */
export const queue: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db as Kysely<unknown>)
  },
}

/** The counters that include an item: those of its queue, its batch and its destination. */
const countsOf = (row: 'NEW' | 'OLD') =>
  [`'queue', ''`, `'batch', ${row}.batch_id`, `'destination', ${row}.destination`].map(
    (scope) => `(${row}.queue_id, ${scope}, ${row}.status)`,
  )

const countUp = `INSERT INTO queue_counts
  SELECT *, 1 FROM (VALUES ${countsOf('NEW').join(', ')}) WHERE column3 IS NOT NULL
  ON CONFLICT DO UPDATE SET n = n + 1;`

const isCountOfOld = `(queue_id, scope, name, status) IN (VALUES ${countsOf('OLD').join(', ')})`

const countDown = `
  UPDATE queue_counts SET n = n - 1 WHERE ${isCountOfOld};
  DELETE FROM queue_counts WHERE ${isCountOfOld} AND n = 0;`

const statements = [
  `CREATE TABLE queue_batches (
    id INTEGER PRIMARY KEY,
    graph TEXT NOT NULL,
    workflow TEXT
  ) STRICT`,
  // AUTOINCREMENT: clients remember item ids, so they must not be reused.
  `CREATE TABLE queue_items (
    item_id INTEGER PRIMARY KEY AUTOINCREMENT,
    queue_id TEXT NOT NULL,
    batch INTEGER NOT NULL REFERENCES queue_batches (id),
    batch_id TEXT NOT NULL,
    session_id TEXT NOT NULL UNIQUE,
    origin TEXT,
    destination TEXT,
    status TEXT NOT NULL,
    status_sequence INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    field_values TEXT NOT NULL,
    device TEXT,
    error_type TEXT,
    error_message TEXT,
    error_traceback TEXT,
    retried_from_item_id INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    started_at INTEGER,
    completed_at INTEGER
  ) STRICT`,
  `CREATE INDEX queue_next ON queue_items (priority DESC, item_id) WHERE status = 'pending'`,
  `CREATE INDEX queue_order ON queue_items (queue_id, priority DESC, item_id)`,
  `CREATE INDEX queue_waiting ON queue_items (queue_id, status, priority DESC, item_id)`,
  `CREATE INDEX queue_by_batch ON queue_items (queue_id, batch_id)`,
  `CREATE INDEX queue_by_destination ON queue_items (queue_id, destination)
    WHERE destination IS NOT NULL`,
  `CREATE INDEX queue_of_batch ON queue_items (batch)`,

  `CREATE TABLE queue_sessions (
    item INTEGER PRIMARY KEY REFERENCES queue_items (item_id) ON DELETE CASCADE,
    session TEXT NOT NULL
  ) STRICT`,

  `CREATE TABLE queue_counts (
    queue_id TEXT NOT NULL,
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (queue_id, scope, name, status)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TRIGGER queue_item_added AFTER INSERT ON queue_items BEGIN ${countUp} END`,
  `CREATE TRIGGER queue_item_changed AFTER UPDATE OF status ON queue_items
    WHEN OLD.status <> NEW.status BEGIN ${countDown} ${countUp} END`,
  `CREATE TRIGGER queue_item_removed AFTER DELETE ON queue_items BEGIN
    ${countDown}
    DELETE FROM queue_batches WHERE id = OLD.batch
      AND NOT EXISTS (SELECT 1 FROM queue_items WHERE batch = OLD.batch);
  END`,
]
