import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Boards, images, metadata, counters, search.
 *
 * Each sort order has one index per board and one for all boards, covering rows outside the trash. `is_intermediate`
 * is the first column instead of part of the index's predicate: 0 and 1 take no space there, and a view of both
 * kinds merges two ranges of one index. `category` is in each index, so that filtering by it reads only the index.
 * So is `deleted_at`, which is always null: without it SQLite prepares to read the row for the predicate and is a
 * third slower.
 */
export const firstLibrary: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db as Kysely<unknown>)
  },
}

const counted = (row: 'NEW' | 'OLD') =>
  ['board', 'is_intermediate', 'category', 'origin', 'starred'].map((column) => `${row}.${column}`)

const countUp = `INSERT INTO image_counts VALUES (${counted('NEW').join(', ')}, 1)
  ON CONFLICT DO UPDATE SET n = n + 1;`

const countDown = `UPDATE image_counts SET n = n - 1
  WHERE (board, is_intermediate, category, origin, starred) = (${counted('OLD').join(', ')});`

const statements = [
  // AUTOINCREMENT: an image may remember a deleted board, whose id must not be reused for a new board.
  `CREATE TABLE boards (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    board_id TEXT NOT NULL UNIQUE,
    board_name TEXT NOT NULL,
    description TEXT,
    board_visibility TEXT NOT NULL,
    archived INTEGER NOT NULL DEFAULT 0,
    starred INTEGER,
    cover_image_name TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER
  ) STRICT`,
  `INSERT INTO boards (id, board_id, board_name, board_visibility, created_at, updated_at)
    VALUES (0, 'none', '', 'shared', 0, 0)`,

  // No foreign key on `board`: deleting a board would then read every row, because no index covers the trash too.
  `CREATE TABLE images (
    id INTEGER PRIMARY KEY,
    image_name TEXT NOT NULL UNIQUE,
    board INTEGER NOT NULL,
    category INTEGER NOT NULL,
    origin INTEGER NOT NULL,
    is_intermediate INTEGER NOT NULL,
    starred INTEGER NOT NULL,
    has_workflow INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    taken_at INTEGER,
    session_id TEXT,
    node_id TEXT,
    upload_id TEXT,
    file_name TEXT,
    file_size INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    thumbhash BLOB NOT NULL,
    left_board INTEGER
  ) STRICT`,
  `CREATE INDEX board_starred ON images
    (is_intermediate, board, starred DESC, created_at DESC, id DESC, category, deleted_at) WHERE deleted_at IS NULL`,
  `CREATE INDEX board_created ON images
    (is_intermediate, board, created_at DESC, id DESC, category, deleted_at) WHERE deleted_at IS NULL`,
  `CREATE INDEX all_starred ON images
    (is_intermediate, starred DESC, created_at DESC, id DESC, category, deleted_at) WHERE deleted_at IS NULL`,
  `CREATE INDEX all_created ON images
    (is_intermediate, created_at DESC, id DESC, category, deleted_at) WHERE deleted_at IS NULL`,
  `CREATE INDEX trashed ON images (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL`,
  `CREATE INDEX left_a_board ON images (left_board) WHERE left_board IS NOT NULL`,
  `CREATE UNIQUE INDEX uploads ON images (upload_id) WHERE upload_id IS NOT NULL`,
  // Eight bytes distinguish a million files; the whole hash is compared in the row.
  `CREATE INDEX same_bytes ON images (substr(content_hash, 1, 8))
    WHERE deleted_at IS NULL AND is_intermediate = 0`,

  `CREATE TABLE image_metadata (
    image INTEGER PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
    invokeai TEXT,
    normal TEXT,
    workflow TEXT,
    graph TEXT
  ) STRICT`,
  `CREATE TABLE tombstones (image_name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`,

  `CREATE TABLE image_counts (
    board INTEGER NOT NULL,
    is_intermediate INTEGER NOT NULL,
    category INTEGER NOT NULL,
    origin INTEGER NOT NULL,
    starred INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (board, is_intermediate, category, origin, starred)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TRIGGER image_added AFTER INSERT ON images WHEN NEW.deleted_at IS NULL
    BEGIN ${countUp} END`,
  `CREATE TRIGGER image_removed AFTER DELETE ON images WHEN OLD.deleted_at IS NULL
    BEGIN ${countDown} END`,
  `CREATE TRIGGER image_left_a_count
    AFTER UPDATE OF board, is_intermediate, category, origin, starred, deleted_at ON images
    WHEN OLD.deleted_at IS NULL
    BEGIN ${countDown} END`,
  `CREATE TRIGGER image_joined_a_count
    AFTER UPDATE OF board, is_intermediate, category, origin, starred, deleted_at ON images
    WHEN NEW.deleted_at IS NULL
    BEGIN ${countUp} END`,

  `CREATE VIRTUAL TABLE images_fts USING fts5 (
    prompt, negative_prompt, parameters, file_name,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
  `CREATE TRIGGER image_unindexed AFTER DELETE ON images
    BEGIN DELETE FROM images_fts WHERE rowid = OLD.id; END`,
  `CREATE VIRTUAL TABLE boards_fts USING fts5 (
    board_name, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
]
