import type Sqlite from 'better-sqlite3'

/** A row of `images` with its board. Another program wrote it, so no value can be trusted. */
export interface ImageRow {
  image_name: unknown
  image_subfolder: unknown
  image_origin: unknown
  image_category: unknown
  session_id: unknown
  node_id: unknown
  metadata: unknown
  starred: unknown
  created_at: unknown
  board_id: unknown
  board_name: unknown
}

export interface BoardRow {
  board_id: unknown
  board_name: unknown
  created_at: unknown
  archived: unknown
  board_visibility: unknown
  user_id: unknown
  cover_image_name: unknown
}

/** The position after a row, in order of creation. null: the start. */
export type After = { createdAt: unknown; imageName: unknown } | null

/** The queries of an import. Each one is a short statement. */
export type InvokeaiTables = NonNullable<ReturnType<typeof readTables>>

/**
 * Reads the tables of InvokeAI 3.4 to 6.x. Columns that were added later (`starred`, `archived`, `image_subfolder`,
 * `board_visibility`) get their earlier meaning as default.
 *
 * @returns null: these are not InvokeAI's tables.
 */
export const readTables = (database: Sqlite.Database) => {
  const images = columnsOf(database, 'images')
  const boards = columnsOf(database, 'boards')
  const links = columnsOf(database, 'board_images')
  const isKnown = images.has('image_name') && images.has('created_at') && boards.has('board_id')
  if (!isKnown || !links.has('board_id')) return null

  const ofImage = (column: string, otherwise: string) => pick(images, 'images', column, otherwise)
  const ofBoard = (column: string, otherwise: string) => pick(boards, 'boards', column, otherwise)
  const live = (columns: ReadonlySet<string>, table: string) =>
    columns.has('deleted_at') ? `${table}.deleted_at IS NULL` : 'TRUE'

  const listBoards = database.prepare<[], BoardRow>(`
    SELECT board_id, board_name, created_at, ${ofBoard('archived', '0')},
      ${ofBoard('board_visibility', `'private'`)}, ${ofBoard('user_id', `'system'`)},
      ${ofBoard('cover_image_name', 'NULL')}
    FROM boards WHERE ${live(boards, 'boards')} ORDER BY created_at, board_id`)

  const listImages = (where: string) => `
    SELECT images.image_name, images.created_at, boards.board_id, boards.board_name,
      ${ofImage('image_subfolder', `''`)}, ${ofImage('image_origin', `'external'`)},
      ${ofImage('image_category', `'general'`)}, ${ofImage('session_id', 'NULL')},
      ${ofImage('node_id', 'NULL')}, ${ofImage('metadata', 'NULL')}, ${ofImage('starred', '0')}
    FROM images
    LEFT JOIN board_images ON board_images.image_name = images.image_name
      AND ${live(links, 'board_images')}
    LEFT JOIN boards ON boards.board_id = board_images.board_id AND ${live(boards, 'boards')}
    WHERE coalesce(images.is_intermediate, 0) = 0 AND ${live(images, 'images')} AND ${where}
    ORDER BY images.created_at, images.image_name LIMIT ?`
  const first = database.prepare<[number], ImageRow>(listImages('TRUE'))
  const next = database.prepare<[unknown, unknown, number], ImageRow>(
    listImages('(images.created_at, images.image_name) > (?, ?)'),
  )
  const intermediates = database.prepare<[], { n: number }>(
    `SELECT count(*) AS n FROM images WHERE is_intermediate AND ${live(images, 'images')}`,
  )
  const places = database.prepare<[string], Pick<ImageRow, 'image_name' | 'image_subfolder'>>(`
    SELECT image_name, ${ofImage('image_subfolder', `''`)} FROM images
    WHERE image_name IN (SELECT value FROM json_each(?))`)

  return {
    boards: () => listBoards.all(),
    /** Returns images that a gallery shows, oldest first: neither intermediate nor deleted ones. */
    images: (after: After, limit: number) =>
      after === null ? first.all(limit) : next.all(after.createdAt, after.imageName, limit),
    countIntermediates: () => intermediates.get()?.n ?? 0,
    /** Returns the recorded subfolders of files with these names, from all records including deleted ones. */
    placesOf: (imageNames: readonly string[]) => places.all(JSON.stringify(imageNames)),
  }
}

const columnsOf = (database: Sqlite.Database, table: string): ReadonlySet<string> =>
  new Set(
    database.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all(),
  )

const pick = (columns: ReadonlySet<string>, table: string, column: string, otherwise: string) =>
  columns.has(column) ? `${table}.${column}` : `${otherwise} AS ${column}`
