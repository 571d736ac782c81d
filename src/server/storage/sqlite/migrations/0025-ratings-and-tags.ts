import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Ratings and tags. A tag that was deleted, or merged with another one, keeps its images for an undo, and `gone_by` names
 * the change. `had_other` marks images that had both of two merged tags.
 */
export const ratingsAndTags: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const logged = (image: string) => `
  INSERT INTO image_changes (image, is_new, board, kind, starred)
  SELECT id, 0, ${['board', 'kind', 'starred']
    .map((column) => `CASE WHEN deleted_at IS NULL THEN ${column} END`)
    .join(', ')}
  FROM images WHERE id = ${image};`

const ofLive = (column: string) => `CASE WHEN OLD.deleted_at IS NULL THEN OLD.${column} END`

const statements = [
  'ALTER TABLE images ADD COLUMN rating INTEGER NOT NULL DEFAULT 0',
  'DROP TRIGGER image_change_updated',
  `CREATE TRIGGER image_change_updated
    AFTER UPDATE OF board, category, kind, starred, deleted_at, rating ON images
    BEGIN INSERT INTO image_changes (image, is_new, board, kind, starred)
      VALUES (NEW.id, 0, ${['board', 'kind', 'starred'].map(ofLive).join(', ')}); END`,
  `CREATE TABLE tags (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    color TEXT,
    used_at INTEGER NOT NULL,
    gone_by TEXT
  ) STRICT`,
  'CREATE UNIQUE INDEX tag_by_name ON tags (name_key) WHERE gone_by IS NULL',
  'CREATE INDEX gone_tags ON tags (gone_by) WHERE gone_by IS NOT NULL',
  `CREATE TABLE image_tags (
    image INTEGER NOT NULL REFERENCES images (id) ON DELETE CASCADE,
    tag INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    had_other INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (image, tag)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX images_by_tag ON image_tags (tag, image)',
  `CREATE TABLE tag_changes (
    change_id TEXT NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    undo TEXT NOT NULL
  ) STRICT`,
  `CREATE TRIGGER image_change_tagged AFTER INSERT ON image_tags BEGIN ${logged('NEW.image')} END`,
  // For an image that is deleted with its tags, this logs nothing.
  `CREATE TRIGGER image_change_untagged AFTER DELETE ON image_tags
    BEGIN ${logged('OLD.image')} END`,
  // Like the name of a board, the name of a tag can change what a search finds.
  `CREATE TRIGGER tag_change_updated AFTER UPDATE OF name, gone_by ON tags
    BEGIN INSERT INTO image_changes (image, is_new) VALUES (0, 0); END`,
]
