import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import Sqlite from 'better-sqlite3'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

/** A version of InvokeAI's database: 3.4, the first with numbered versions, and 6.14. */
export type InvokeaiVersion = '3.4' | '6.14'

/** A row of `images`. Absent fields have InvokeAI's defaults. */
export interface InvokeaiImage {
  image_name: string
  image_origin?: string
  image_category?: string
  session_id?: string
  node_id?: string
  metadata?: string
  is_intermediate?: 0 | 1
  starred?: 0 | 1
  created_at?: string
  deleted_at?: string
  /** Only in 6.14. */
  image_subfolder?: string
}

/** A row of `videos`, only in 6.14. Absent fields have InvokeAI's defaults. */
export interface InvokeaiVideo {
  video_name: string
  video_origin?: string
  video_category?: string
  session_id?: string
  node_id?: string
  metadata?: string
  is_intermediate?: 0 | 1
  starred?: 0 | 1
  created_at?: string
  deleted_at?: string
  video_subfolder?: string
}

/** An InvokeAI root made for a test. */
export interface InvokeaiRootFixture {
  folder: string
  database: Sqlite.Database
  /** Adds a row, and its file unless `bytes` is null. */
  addImage(image: InvokeaiImage, bytes: Uint8Array | null, boardId?: string): void
  /** As `addImage`, with the texts of the file that InvokeAI writes for a video, by their names in it. */
  addVideo(
    video: InvokeaiVideo,
    bytes: Uint8Array | null,
    more?: { boardId?: string; texts?: Record<string, string | null> },
  ): void
  addBoard(board: { board_id: string; board_name: string } & Record<string, string | number>): void
  /** Writes a file below `outputs/images` or `outputs/videos`. */
  addFile(name: string, bytes: Uint8Array, folder?: 'images' | 'videos'): void
  remove(): Promise<void>
}

/** Makes an empty root with the tables of a version. The connection stays open, as with a running InvokeAI. */
export const makeInvokeaiRoot = async (
  version: InvokeaiVersion,
  { journalMode = 'WAL' }: { journalMode?: 'WAL' | 'DELETE' } = {},
): Promise<InvokeaiRootFixture> => {
  const folder = await createTemporaryFolder()
  const kinds = version === '3.4' ? ['images'] : ['images', 'videos']
  for (const kind of kinds)
    mkdirSync(join(folder, 'outputs', kind, 'thumbnails'), { recursive: true })
  mkdirSync(join(folder, 'databases'))
  const database = new Sqlite(join(folder, 'databases', 'invokeai.db'))
  database.pragma(`journal_mode = ${journalMode}`)
  database.exec(version === '3.4' ? firstTables : firstTables + laterColumns)

  const insert = (table: string, row: object) => {
    const columns = Object.keys(row)
    const values = columns.map((column) => `@${column}`)
    database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${values})`).run(row)
  }
  const addFile = (name: string, bytes: Uint8Array, kind = 'images') => {
    const path = join(folder, 'outputs', kind, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  return {
    folder,
    database,
    addFile,
    addImage: (image, bytes, boardId) => {
      insert('images', { ...imageDefaults, ...image })
      const { image_name, image_subfolder = '' } = image
      if (boardId !== undefined) insert('board_images', { board_id: boardId, image_name })
      if (bytes !== null) addFile(join(image_subfolder, image_name), bytes)
    },
    addVideo: (video, bytes, { boardId, texts } = {}) => {
      insert('videos', { ...videoDefaults, ...video })
      const { video_name, video_subfolder = '' } = video
      if (boardId !== undefined) insert('board_videos', { board_id: boardId, video_name })
      if (bytes !== null) addFile(join(video_subfolder, video_name), bytes, 'videos')
      const sidecar = join('sidecars', video_subfolder, `${parse(video_name).name}.json`)
      if (texts !== undefined) addFile(sidecar, Buffer.from(JSON.stringify(texts)), 'videos')
    },
    addBoard: (board) => insert('boards', board),
    remove: async () => {
      database.close()
      await removeFolder(folder)
    },
  }
}

const imageDefaults = {
  image_origin: 'internal',
  image_category: 'general',
  width: 96,
  height: 64,
} as const

const videoDefaults = {
  video_origin: 'internal',
  video_category: 'general',
  width: 64,
  height: 48,
  duration: 1,
} as const

const now = `(STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW'))`
const times = `created_at DATETIME NOT NULL DEFAULT${now},
  updated_at DATETIME NOT NULL DEFAULT${now}, deleted_at DATETIME`

const touched = (table: string, key: string) => `
  CREATE TRIGGER tg_${table}_updated_at AFTER UPDATE ON ${table} FOR EACH ROW BEGIN
    UPDATE ${table} SET updated_at = STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW') WHERE ${key} = old.${key};
  END;`

/** InvokeAI's tables for images and boards, with the same columns. */
const firstTables = `
  CREATE TABLE images (
    image_name TEXT NOT NULL PRIMARY KEY, image_origin TEXT NOT NULL, image_category TEXT NOT NULL,
    width INTEGER NOT NULL, height INTEGER NOT NULL, session_id TEXT, node_id TEXT, metadata TEXT,
    is_intermediate BOOLEAN DEFAULT FALSE, ${times}
  );
  ALTER TABLE images ADD COLUMN starred BOOLEAN DEFAULT FALSE;
  CREATE UNIQUE INDEX idx_images_image_name ON images (image_name);
  CREATE INDEX idx_images_image_origin ON images (image_origin);
  CREATE INDEX idx_images_image_category ON images (image_category);
  CREATE INDEX idx_images_created_at ON images (created_at);
  CREATE INDEX idx_images_starred ON images (starred);
  CREATE TABLE boards (
    board_id TEXT NOT NULL PRIMARY KEY, board_name TEXT NOT NULL, cover_image_name TEXT, ${times},
    FOREIGN KEY (cover_image_name) REFERENCES images (image_name) ON DELETE SET NULL
  );
  CREATE INDEX idx_boards_created_at ON boards (created_at);
  CREATE TABLE board_images (
    board_id TEXT NOT NULL, image_name TEXT NOT NULL, ${times},
    PRIMARY KEY (image_name),
    FOREIGN KEY (board_id) REFERENCES boards (board_id) ON DELETE CASCADE,
    FOREIGN KEY (image_name) REFERENCES images (image_name) ON DELETE CASCADE
  );
  CREATE INDEX idx_board_images_board_id ON board_images (board_id);
  CREATE INDEX idx_board_images_board_id_created_at ON board_images (board_id, created_at);
  ${touched('images', 'image_name')} ${touched('boards', 'board_id')}`

const laterColumns = `
  ALTER TABLE images ADD COLUMN has_workflow BOOLEAN DEFAULT FALSE;
  ALTER TABLE images ADD COLUMN user_id TEXT DEFAULT 'system';
  ALTER TABLE images ADD COLUMN image_subfolder TEXT NOT NULL DEFAULT '';
  ALTER TABLE boards ADD COLUMN archived BOOLEAN DEFAULT FALSE;
  ALTER TABLE boards ADD COLUMN user_id TEXT DEFAULT 'system';
  ALTER TABLE boards ADD COLUMN is_public BOOLEAN NOT NULL DEFAULT FALSE;
  ALTER TABLE boards ADD COLUMN board_visibility TEXT NOT NULL DEFAULT 'private';
  CREATE INDEX idx_boards_board_visibility ON boards (board_visibility);
  CREATE TABLE videos (
    video_name TEXT NOT NULL PRIMARY KEY, video_origin TEXT NOT NULL, video_category TEXT NOT NULL,
    width INTEGER NOT NULL, height INTEGER NOT NULL, duration REAL NOT NULL DEFAULT 0.0, fps REAL,
    session_id TEXT, node_id TEXT, metadata TEXT, is_intermediate BOOLEAN DEFAULT FALSE,
    starred BOOLEAN DEFAULT FALSE, has_workflow BOOLEAN DEFAULT FALSE,
    user_id TEXT NOT NULL DEFAULT 'system', video_subfolder TEXT NOT NULL DEFAULT '', ${times}
  );
  CREATE INDEX idx_videos_created_at ON videos (created_at);
  CREATE TABLE board_videos (
    board_id TEXT NOT NULL, video_name TEXT NOT NULL, ${times},
    PRIMARY KEY (video_name),
    FOREIGN KEY (board_id) REFERENCES boards (board_id) ON DELETE CASCADE,
    FOREIGN KEY (video_name) REFERENCES videos (video_name) ON DELETE CASCADE
  );
  CREATE INDEX idx_board_videos_board_id ON board_videos (board_id);
  ${touched('videos', 'video_name')}`
