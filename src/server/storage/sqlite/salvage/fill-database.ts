import { randomUUID } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import type { BoardVisibility } from '#contract/board.ts'
import { tagKey } from '#contract/search/tag-names.ts'
import { VERSION_WITHOUT_FINGERPRINT } from '#server/storage/metadata/reader-version.ts'
import type { SqlValue } from './page-cells.ts'
import type { FoundRow, TableReader } from './read-tables.ts'
import { eachRow, hasFile, type ReadOptions } from './survey-database.ts'
import type { TableShape } from './table-shapes.ts'

export interface FillOptions extends ReadOptions {
  /** The new database. There is no file yet. */
  to: string
  /** A copy of an earlier state, which may be changed. null: there is no backup. */
  backup: string | null
}

const withDatabase = async <T>(
  path: string,
  work: (database: Sqlite.Database) => T | Promise<T>,
): Promise<T> => {
  const database = new Sqlite(path)
  // A lost row must not take others with it.
  database.pragma('foreign_keys = OFF')
  database.pragma('synchronous = OFF')
  try {
    return await work(database)
  } finally {
    database.close()
  }
}

/** Adds the rows that can be read. Of two versions of a row, the newer one is kept. */
export const fillRows = (options: FillOptions, reader: TableReader): Promise<void> =>
  withDatabase(options.to, async (database) => {
    const triggers = database
      .prepare<[], { name: string; sql: string }>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
      )
      .all()
    for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`)
    database.exec('BEGIN')
    await eachRow(reader, options, adderOf(database, reader.shapes))
    database.exec('COMMIT')
    for (const { sql } of triggers) database.exec(sql)
  })

const adderOf = (database: Sqlite.Database, shapes: readonly TableShape[]) => {
  const inserts = new Map<string, Sqlite.Statement<SqlValue[]>>()
  const statementOf = (text: string) => {
    const statement = inserts.get(text) ?? database.prepare<SqlValue[]>(text)
    inserts.set(text, statement)
    return statement
  }
  const columnsOf = new Map(shapes.map(({ name, columns }) => [name, columns]))
  return ({ table, rowid, values }: FoundRow): void => {
    const columns = (columnsOf.get(table) ?? []).slice(0, values.length)
    const given = values.slice(0, columns.length)
    const key = columns.findIndex(({ isRowid }) => isRowid)
    if (key >= 0) given[key] = rowid
    const updatedAt = columns.findIndex(({ name }) => name === 'updated_at')
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const isCompared = key >= 0 && updatedAt >= 0
    const verb = isCompared || table === 'kysely_migration' ? 'REPLACE' : 'IGNORE'
    const places = columns.map(() => '?').join(', ')
    const unlessOld = `WHERE NOT EXISTS (SELECT 1 FROM "${table}"
      WHERE "${columns[key]?.name}" = ? AND updated_at >= ?)`
    const text = `INSERT OR ${verb} INTO "${table}" (${names}) SELECT ${places} ${isCompared ? unlessOld : ''}`
    if (isCompared) given.push(given[key] ?? null, given[updatedAt] ?? null)
    try {
      statementOf(text).run(...given)
    } catch (error) {
      // Values that the table cannot have are damage that looks like a row.
      if (
        !(error instanceof Sqlite.SqliteError && /^SQLITE_(?:CONSTRAINT|MISMATCH)/.test(error.code))
      )
        throw error
    }
  }
}

export interface Completion {
  /** Rows that came from the backup, by table. */
  fromBackup: Readonly<Record<string, number>>
  /** Boards whose images are known and whose names are lost. */
  namelessBoards: number
  /** Tags whose names are lost, and the number of images that have them. */
  namelessTags: { tags: number; images: number }
}

/** Tables whose rows an earlier state can complete. Others are of the moment. */
const COMPLETED = [
  'boards',
  'images',
  'image_metadata',
  'client_state',
  'saved_searches',
  'dismissed_duplicates',
  'tags',
  'image_tags',
  'imported_files',
] as const

/** Adds what a backup has of damaged tables, and makes the rows agree with each other. */
export const completeRows = (
  { to, backup, imagesFolder }: FillOptions,
  { tables }: TableReader,
): Promise<Completion> =>
  withDatabase(to, (database) => {
    const fromBackup: Record<string, number> = {}
    database.function('has_file', (imageName) => Number(hasFile(imagesFolder, String(imageName))))
    if (backup !== null) database.prepare('ATTACH ? AS earlier').run(backup)
    database.exec('BEGIN')
    renewTagKeys(database)
    for (const name of backup === null ? [] : COMPLETED) {
      if (tables.get(name)?.isWhole !== false) continue
      const { changes } = database.prepare(completionOf(name, columnsOf(database, name))).run()
      if (changes > 0) fromBackup[name] = changes
    }
    makeAgree(database)
    const namelessBoards = addLostBoards(database)
    const namelessTags = addLostTags(database)
    database.exec('COMMIT')
    return { fromBackup, namelessBoards, namelessTags }
  })

/** An older version wrote other keys, and if its version cannot be read, no migration changes them. */
const renewTagKeys = (database: Sqlite.Database): void => {
  database.function('tag_key', { deterministic: true }, (name) => tagKey(String(name)))
  database.exec(`
    UPDATE OR IGNORE tags SET name_key = tag_key(name)
    WHERE gone_by IS NULL AND name_key != tag_key(name)`)
}

const columnsOf = (database: Sqlite.Database, table: string): string =>
  database
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
    .pluck()
    .all(table)
    .map((name) => `"${name}"`)
    .join(', ')

/** Only images with a file: the others were deleted since. Metadata goes by the ids, which may have been used again. */
const completionOf = (table: (typeof COMPLETED)[number], columns: string): string => {
  const where = {
    images: 'WHERE image_name NOT IN (SELECT image_name FROM main.images) AND has_file(image_name)',
    image_metadata: `WHERE image IN (SELECT now.id FROM main.images AS now
      JOIN earlier.images AS before ON before.id = now.id AND before.image_name = now.image_name)`,
    boards: '',
    client_state: '',
    saved_searches: '',
    dismissed_duplicates: '',
    tags: '',
    image_tags: `WHERE image IN (SELECT now.id FROM main.images AS now
      JOIN earlier.images AS before ON before.id = now.id AND before.image_name = now.image_name)
      AND tag IN (SELECT now.id FROM main.tags AS now
      JOIN earlier.tags AS before ON before.id = now.id AND before.name_key = now.name_key)`,
    imported_files: '',
  }[table]
  return `INSERT OR IGNORE INTO main.${table} (${columns}) SELECT ${columns} FROM earlier.${table} ${where}`
}

/** Removes rows that refer to lost ones. */
const makeAgree = (database: Sqlite.Database): void => {
  database.exec(`
    DELETE FROM image_metadata WHERE image NOT IN (SELECT id FROM images);
    DELETE FROM image_fingerprints WHERE image NOT IN (SELECT id FROM images);
    UPDATE images SET reader_version = ${VERSION_WITHOUT_FINGERPRINT}
      WHERE reader_version > ${VERSION_WITHOUT_FINGERPRINT}
        AND id NOT IN (SELECT image FROM image_fingerprints);
    DELETE FROM image_tags WHERE image NOT IN (SELECT id FROM images);
    DELETE FROM queue_items WHERE batch NOT IN (SELECT id FROM queue_batches);
    DELETE FROM queue_sessions WHERE item NOT IN (SELECT item_id FROM queue_items);
    DELETE FROM tombstones WHERE image_name IN (SELECT image_name FROM images);
    UPDATE images SET left_board = NULL WHERE left_board NOT IN (SELECT id FROM boards)`)
}

/** Makes the lost boards of images. Returns their number. */
const addLostBoards = (database: Sqlite.Database): number => {
  const lost = database
    .prepare<[], number>(
      'SELECT DISTINCT board FROM images WHERE board NOT IN (SELECT id FROM boards)',
    )
    .pluck()
    .all()
  const add = database.prepare(`
    INSERT INTO boards (id, board_id, board_name, board_visibility, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?)`)
  const visibility: BoardVisibility = 'private'
  const now = Date.now()
  for (const id of lost) add.run(id, randomUUID(), `Recovered board ${id}`, visibility, now, now)
  return lost.length
}

/** Makes the lost tags of images, so that the images with the same tag stay together. */
const addLostTags = (database: Sqlite.Database): Completion['namelessTags'] => {
  const lost = database
    .prepare<[], number>(
      'SELECT DISTINCT tag FROM image_tags WHERE tag NOT IN (SELECT id FROM tags)',
    )
    .pluck()
    .all()
  const images = database
    .prepare<[], number>(
      'SELECT count(DISTINCT image) FROM image_tags WHERE tag NOT IN (SELECT id FROM tags)',
    )
    .pluck()
    .get()
  const add = database.prepare('INSERT INTO tags (id, name, name_key, used_at) VALUES (?, ?, ?, ?)')
  const isTaken = database
    .prepare<[string], number>(
      'SELECT EXISTS (SELECT 1 FROM tags WHERE name_key = ? AND gone_by IS NULL)',
    )
    .pluck()
  for (const tag of lost) {
    let name = `Recovered tag ${tag}`
    // An earlier repair may have made a tag of this name.
    for (let number = 2; isTaken.get(tagKey(name)) === 1; number += 1)
      name = `Recovered tag ${tag} (${number})`
    add.run(tag, name, tagKey(name), Date.now())
  }
  return { tags: lost.length, images: images ?? 0 }
}
