import type Sqlite from 'better-sqlite3'

/** A kind of items in InvokeAI's tables. */
export type InvokeaiKind = 'image' | 'video'

/** A row of `images` or `videos` with its board, under the names of the columns of images. Another program wrote it, so no value can be trusted. */
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
 * `board_visibility`) get their earlier meaning as default. Without the tables of videos (before 6.14) there are none.
 *
 * @returns null: these are not InvokeAI's tables.
 */
export const readTables = (database: Sqlite.Database) => {
  const images = columnsOf(database, 'images')
  const boards = columnsOf(database, 'boards')
  const links = columnsOf(database, 'board_images')
  const isKnown = images.has('image_name') && images.has('created_at') && boards.has('board_id')
  if (!isKnown || !links.has('board_id')) return null

  const ofBoard = (column: string, otherwise: string) => pick(boards, 'boards', column, otherwise)
  const listBoards = database.prepare<[], BoardRow>(`
    SELECT board_id, board_name, created_at, ${ofBoard('archived', '0')},
      ${ofBoard('board_visibility', `'private'`)}, ${ofBoard('user_id', `'system'`)},
      ${ofBoard('cover_image_name', 'NULL')}
    FROM boards WHERE ${live(boards, 'boards')} ORDER BY created_at, board_id`)

  const ofKind = {
    image: itemsOf(database, 'image', live(boards, 'boards')),
    video: itemsOf(database, 'video', live(boards, 'boards')),
  }
  return {
    boards: () => listBoards.all(),
    /** Returns items that a gallery shows, oldest first: neither intermediate nor deleted ones. */
    items: (kind: InvokeaiKind, after: After, limit: number) =>
      ofKind[kind]?.page(after, limit) ?? [],
    countIntermediates: () =>
      (ofKind.image?.countIntermediates() ?? 0) + (ofKind.video?.countIntermediates() ?? 0),
    /** Returns the recorded subfolders of files with these names, from all records including deleted ones. */
    placesOf: (kind: InvokeaiKind, names: readonly string[]) => ofKind[kind]?.placesOf(names) ?? [],
  }
}

/** null: the database has no tables of this kind. */
const itemsOf = (database: Sqlite.Database, kind: InvokeaiKind, isBoardLive: string) => {
  const [table, linkTable] = [`${kind}s`, `board_${kind}s`]
  const [items, links] = [columnsOf(database, table), columnsOf(database, linkTable)]
  const name = `${kind}_name`
  if (!items.has(name) || !items.has('created_at') || !links.has('board_id')) return null

  const of = (column: string, otherwise: string) => pick(items, table, column, otherwise)
  const own = (column: string, otherwise: string) =>
    `${items.has(`${kind}_${column}`) ? `${table}.${kind}_${column}` : otherwise} AS image_${column}`
  const list = (where: string) => `
    SELECT ${table}.${name} AS image_name, ${table}.created_at, boards.board_id, boards.board_name,
      ${own('subfolder', `''`)}, ${own('origin', `'external'`)}, ${own('category', `'general'`)},
      ${of('session_id', 'NULL')}, ${of('node_id', 'NULL')}, ${of('metadata', 'NULL')},
      ${of('starred', '0')}
    FROM ${table}
    LEFT JOIN ${linkTable} ON ${linkTable}.${name} = ${table}.${name} AND ${live(links, linkTable)}
    LEFT JOIN boards ON boards.board_id = ${linkTable}.board_id AND ${isBoardLive}
    WHERE coalesce(${table}.is_intermediate, 0) = 0 AND ${live(items, table)} AND ${where}
    ORDER BY ${table}.created_at, ${table}.${name} LIMIT ?`
  const first = database.prepare<[number], ImageRow>(list('TRUE'))
  const next = database.prepare<[unknown, unknown, number], ImageRow>(
    list(`(${table}.created_at, ${table}.${name}) > (?, ?)`),
  )
  const intermediates = database.prepare<[], { n: number }>(
    `SELECT count(*) AS n FROM ${table} WHERE is_intermediate AND ${live(items, table)}`,
  )
  const places = database.prepare<[string], Pick<ImageRow, 'image_name' | 'image_subfolder'>>(`
    SELECT ${name} AS image_name, ${own('subfolder', `''`)} FROM ${table}
    WHERE ${name} IN (SELECT value FROM json_each(?))`)
  return {
    page: (after: After, limit: number) =>
      after === null ? first.all(limit) : next.all(after.createdAt, after.imageName, limit),
    countIntermediates: () => intermediates.get()?.n ?? 0,
    placesOf: (names: readonly string[]) => places.all(JSON.stringify(names)),
  }
}

const live = (columns: ReadonlySet<string>, table: string) =>
  columns.has('deleted_at') ? `${table}.deleted_at IS NULL` : 'TRUE'

const columnsOf = (database: Sqlite.Database, table: string): ReadonlySet<string> =>
  new Set(
    database.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all(),
  )

const pick = (columns: ReadonlySet<string>, table: string, column: string, otherwise: string) =>
  columns.has(column) ? `${table}.${column}` : `${otherwise} AS ${column}`
