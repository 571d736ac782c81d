import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A log of changed images, so that readers can update their in-memory tables instead of reading a million rows
 * again. `image` 0 marks a change of the boards. The writer deletes old entries.
 */
export const imageChanges: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db as Kysely<unknown>)
  },
}

const logged = (image: string, isNew: 0 | 1) =>
  `BEGIN INSERT INTO image_changes (image, is_new) VALUES (${image}, ${isNew}); END`

const statements = [
  `CREATE TABLE image_changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    image INTEGER NOT NULL,
    is_new INTEGER NOT NULL
  ) STRICT`,
  `CREATE TRIGGER image_change_added AFTER INSERT ON images ${logged('NEW.id', 1)}`,
  `CREATE TRIGGER image_change_removed AFTER DELETE ON images ${logged('OLD.id', 0)}`,
  `CREATE TRIGGER image_change_updated
    AFTER UPDATE OF board, category, is_intermediate, starred, deleted_at ON images
    ${logged('NEW.id', 0)}`,
  `CREATE TRIGGER board_change_added AFTER INSERT ON boards ${logged('0', 0)}`,
  `CREATE TRIGGER board_change_removed AFTER DELETE ON boards ${logged('0', 0)}`,
  `CREATE TRIGGER board_change_updated AFTER UPDATE OF board_name, deleted_at ON boards
    ${logged('0', 0)}`,
]
