-- A library as Tessera wrote it when it had the first six migrations. Do not edit.
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
CREATE TABLE boards (
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
  ) STRICT;
CREATE TABLE images (
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
  , dated_at INTEGER NOT NULL DEFAULT 0, name_key TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE image_metadata (
    image INTEGER PRIMARY KEY REFERENCES images (id) ON DELETE CASCADE,
    invokeai TEXT,
    normal TEXT,
    workflow TEXT,
    graph TEXT
  ) STRICT;
CREATE TABLE tombstones (image_name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE image_counts (
    board INTEGER NOT NULL,
    is_intermediate INTEGER NOT NULL,
    category INTEGER NOT NULL,
    origin INTEGER NOT NULL,
    starred INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (board, is_intermediate, category, origin, starred)
  ) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE images_fts USING fts5 (
    prompt, negative_prompt, parameters, file_name,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
CREATE VIRTUAL TABLE boards_fts USING fts5 (
    board_name, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
CREATE TABLE queue_batches (
    id INTEGER PRIMARY KEY,
    graph TEXT NOT NULL,
    workflow TEXT
  ) STRICT;
CREATE TABLE queue_items (
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
  ) STRICT;
CREATE TABLE queue_sessions (
    item INTEGER PRIMARY KEY REFERENCES queue_items (item_id) ON DELETE CASCADE,
    session TEXT NOT NULL
  ) STRICT;
CREATE TABLE queue_counts (
    queue_id TEXT NOT NULL,
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (queue_id, scope, name, status)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE client_state (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        value TEXT NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT;
CREATE TABLE imported_files (
        path_key BLOB PRIMARY KEY,
        bytes INTEGER NOT NULL,
        modified_us INTEGER NOT NULL,
        content_hash BLOB NOT NULL
      ) STRICT, WITHOUT ROWID;
CREATE TABLE imports_under_way (
        folder TEXT PRIMARY KEY,
        import_id TEXT NOT NULL UNIQUE,
        source TEXT NOT NULL,
        boards TEXT NOT NULL,
        board_name TEXT,
        link INTEGER NOT NULL,
        watch INTEGER NOT NULL,
        left_out INTEGER,
        found INTEGER NOT NULL,
        is_counted INTEGER NOT NULL,
        taken_in INTEGER NOT NULL,
        linked INTEGER NOT NULL,
        known INTEGER NOT NULL,
        refused INTEGER NOT NULL,
        started_at INTEGER NOT NULL
      ) STRICT;
INSERT INTO kysely_migration (name, timestamp)
  VALUES ('0001-first-library', '2026-11-23T13:36:51.623Z');
INSERT INTO kysely_migration (name, timestamp)
  VALUES ('2026-11-22-orders', '2026-11-23T13:36:51.626Z');
INSERT INTO kysely_migration (name, timestamp)
  VALUES ('2026-11-22-queue', '2026-11-23T13:36:51.650Z');
INSERT INTO kysely_migration (name, timestamp)
  VALUES ('2026-11-22-state-of-clients', '2026-11-23T13:36:51.651Z');
INSERT INTO kysely_migration (name, timestamp)
  VALUES ('2026-11-23-imports', '2026-11-23T13:36:51.652Z');
INSERT INTO kysely_migration (name, timestamp)
  VALUES ('2026-11-24-imports-under-way', '2026-11-23T13:36:51.653Z');
INSERT INTO kysely_migration_lock (id, is_locked)
  VALUES ('migration_lock', 0);
INSERT INTO boards (id, board_id, board_name, description, board_visibility, archived, starred, cover_image_name, created_at, updated_at, deleted_at)
  VALUES (0, 'none', '', NULL, 'shared', 0, NULL, NULL, 0, 0, NULL);
INSERT INTO boards (id, board_id, board_name, description, board_visibility, archived, starred, cover_image_name, created_at, updated_at, deleted_at)
  VALUES (1, 'b1', 'Castles', NULL, 'shared', 0, NULL, NULL, 1700000000000, 1700000000000, NULL);
INSERT INTO images (id, image_name, board, category, origin, is_intermediate, starred, has_workflow, width, height, created_at, updated_at, deleted_at, taken_at, session_id, node_id, upload_id, file_name, file_size, media_type, content_hash, thumbhash, left_board, dated_at, name_key)
  VALUES (1, 'a.png', 1, 3, 1, 0, 1, 0, 64, 48, 1700000000001, 1700000000001, NULL, NULL, NULL, NULL, NULL, 'castle.png', 1001, 'image/png', x'0101010101010101010101010101010101010101010101010101010101010101', x'010203', NULL, 1700000000001, 'castle.png');
INSERT INTO images (id, image_name, board, category, origin, is_intermediate, starred, has_workflow, width, height, created_at, updated_at, deleted_at, taken_at, session_id, node_id, upload_id, file_name, file_size, media_type, content_hash, thumbhash, left_board, dated_at, name_key)
  VALUES (2, 'b.png', 0, 3, 1, 0, 0, 0, 64, 48, 1700000000002, 1700000000002, NULL, NULL, NULL, NULL, NULL, NULL, 1002, 'image/png', x'0202020202020202020202020202020202020202020202020202020202020202', x'010203', NULL, 1700000000002, 'b.png');
INSERT INTO images (id, image_name, board, category, origin, is_intermediate, starred, has_workflow, width, height, created_at, updated_at, deleted_at, taken_at, session_id, node_id, upload_id, file_name, file_size, media_type, content_hash, thumbhash, left_board, dated_at, name_key)
  VALUES (3, 'c.png', 0, 3, 1, 0, 0, 0, 64, 48, 1700000000003, 1700000000003, 1700000005000, NULL, NULL, NULL, NULL, NULL, 1003, 'image/png', x'0303030303030303030303030303030303030303030303030303030303030303', x'010203', NULL, 1700000000003, 'c.png');
INSERT INTO image_metadata (image, invokeai, normal, workflow, graph)
  VALUES (1, '{"positive_prompt":"a castle in fog"}', NULL, NULL, NULL);
INSERT INTO tombstones (image_name)
  VALUES ('d.png');
INSERT INTO image_counts (board, is_intermediate, category, origin, starred, n)
  VALUES (0, 0, 3, 1, 0, 1);
INSERT INTO image_counts (board, is_intermediate, category, origin, starred, n)
  VALUES (1, 0, 3, 1, 1, 1);
INSERT INTO client_state (id, key, value, updated_at)
  VALUES (1, 'theme', '"dark"', 1700000000000);
INSERT INTO images_fts (rowid, prompt, negative_prompt, parameters, file_name)
  VALUES (1, 'a castle in fog', '', '', 'castle.png'), (2, '', '', '', ''), (3, '', '', '', '');
INSERT INTO boards_fts (rowid, board_name) VALUES (1, 'Castles');
CREATE INDEX board_starred ON images
    (is_intermediate, board, starred DESC, created_at DESC, id DESC, category, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX board_created ON images
    (is_intermediate, board, created_at DESC, id DESC, category, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX all_starred ON images
    (is_intermediate, starred DESC, created_at DESC, id DESC, category, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX all_created ON images
    (is_intermediate, created_at DESC, id DESC, category, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX trashed ON images (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
CREATE INDEX left_a_board ON images (left_board) WHERE left_board IS NOT NULL;
CREATE UNIQUE INDEX uploads ON images (upload_id) WHERE upload_id IS NOT NULL;
CREATE INDEX same_bytes ON images (substr(content_hash, 1, 8))
    WHERE deleted_at IS NULL AND is_intermediate = 0;
CREATE TRIGGER image_added AFTER INSERT ON images WHEN NEW.deleted_at IS NULL
    BEGIN INSERT INTO image_counts VALUES (NEW.board, NEW.is_intermediate, NEW.category, NEW.origin, NEW.starred, 1)
  ON CONFLICT DO UPDATE SET n = n + 1; END;
CREATE TRIGGER image_removed AFTER DELETE ON images WHEN OLD.deleted_at IS NULL
    BEGIN UPDATE image_counts SET n = n - 1
  WHERE (board, is_intermediate, category, origin, starred) = (OLD.board, OLD.is_intermediate, OLD.category, OLD.origin, OLD.starred); END;
CREATE TRIGGER image_left_a_count
    AFTER UPDATE OF board, is_intermediate, category, origin, starred, deleted_at ON images
    WHEN OLD.deleted_at IS NULL
    BEGIN UPDATE image_counts SET n = n - 1
  WHERE (board, is_intermediate, category, origin, starred) = (OLD.board, OLD.is_intermediate, OLD.category, OLD.origin, OLD.starred); END;
CREATE TRIGGER image_joined_a_count
    AFTER UPDATE OF board, is_intermediate, category, origin, starred, deleted_at ON images
    WHEN NEW.deleted_at IS NULL
    BEGIN INSERT INTO image_counts VALUES (NEW.board, NEW.is_intermediate, NEW.category, NEW.origin, NEW.starred, 1)
  ON CONFLICT DO UPDATE SET n = n + 1; END;
CREATE TRIGGER image_unindexed AFTER DELETE ON images
    BEGIN DELETE FROM images_fts WHERE rowid = OLD.id; END;
CREATE INDEX board_taken ON images (is_intermediate, board, starred DESC, dated_at DESC, id DESC, category, deleted_at)
       WHERE deleted_at IS NULL;
CREATE INDEX all_taken ON images (is_intermediate, starred DESC, dated_at DESC, id DESC, category, deleted_at)
       WHERE deleted_at IS NULL;
CREATE INDEX board_name ON images (is_intermediate, board, starred DESC, name_key DESC, id DESC, category, deleted_at)
       WHERE deleted_at IS NULL;
CREATE INDEX all_name ON images (is_intermediate, starred DESC, name_key DESC, id DESC, category, deleted_at)
       WHERE deleted_at IS NULL;
CREATE INDEX board_size ON images (is_intermediate, board, starred DESC, file_size DESC, id DESC, category, deleted_at)
       WHERE deleted_at IS NULL;
CREATE INDEX all_size ON images (is_intermediate, starred DESC, file_size DESC, id DESC, category, deleted_at)
       WHERE deleted_at IS NULL;
CREATE INDEX queue_next ON queue_items (priority DESC, item_id) WHERE status = 'pending';
CREATE INDEX queue_order ON queue_items (queue_id, priority DESC, item_id);
CREATE INDEX queue_waiting ON queue_items (queue_id, status, priority DESC, item_id);
CREATE INDEX queue_by_batch ON queue_items (queue_id, batch_id);
CREATE INDEX queue_by_destination ON queue_items (queue_id, destination)
    WHERE destination IS NOT NULL;
CREATE INDEX queue_of_batch ON queue_items (batch);
CREATE TRIGGER queue_item_added AFTER INSERT ON queue_items BEGIN INSERT INTO queue_counts
  SELECT *, 1 FROM (VALUES (NEW.queue_id, 'queue', '', NEW.status), (NEW.queue_id, 'batch', NEW.batch_id, NEW.status), (NEW.queue_id, 'destination', NEW.destination, NEW.status)) WHERE column3 IS NOT NULL
  ON CONFLICT DO UPDATE SET n = n + 1; END;
CREATE TRIGGER queue_item_changed AFTER UPDATE OF status ON queue_items
    WHEN OLD.status <> NEW.status BEGIN 
  UPDATE queue_counts SET n = n - 1 WHERE (queue_id, scope, name, status) IN (VALUES (OLD.queue_id, 'queue', '', OLD.status), (OLD.queue_id, 'batch', OLD.batch_id, OLD.status), (OLD.queue_id, 'destination', OLD.destination, OLD.status));
  DELETE FROM queue_counts WHERE (queue_id, scope, name, status) IN (VALUES (OLD.queue_id, 'queue', '', OLD.status), (OLD.queue_id, 'batch', OLD.batch_id, OLD.status), (OLD.queue_id, 'destination', OLD.destination, OLD.status)) AND n = 0; INSERT INTO queue_counts
  SELECT *, 1 FROM (VALUES (NEW.queue_id, 'queue', '', NEW.status), (NEW.queue_id, 'batch', NEW.batch_id, NEW.status), (NEW.queue_id, 'destination', NEW.destination, NEW.status)) WHERE column3 IS NOT NULL
  ON CONFLICT DO UPDATE SET n = n + 1; END;
CREATE TRIGGER queue_item_removed AFTER DELETE ON queue_items BEGIN
    
  UPDATE queue_counts SET n = n - 1 WHERE (queue_id, scope, name, status) IN (VALUES (OLD.queue_id, 'queue', '', OLD.status), (OLD.queue_id, 'batch', OLD.batch_id, OLD.status), (OLD.queue_id, 'destination', OLD.destination, OLD.status));
  DELETE FROM queue_counts WHERE (queue_id, scope, name, status) IN (VALUES (OLD.queue_id, 'queue', '', OLD.status), (OLD.queue_id, 'batch', OLD.batch_id, OLD.status), (OLD.queue_id, 'destination', OLD.destination, OLD.status)) AND n = 0;
    DELETE FROM queue_batches WHERE id = OLD.batch
      AND NOT EXISTS (SELECT 1 FROM queue_items WHERE batch = OLD.batch);
  END;
CREATE INDEX trashed_bytes ON images (substr(content_hash, 1, 8))
        WHERE deleted_at IS NOT NULL;
