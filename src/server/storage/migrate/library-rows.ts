import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/storage/sql/tables.ts'

/** A table whose rows are copied, with one or two columns that sort them in the same order in both databases. */
export interface CopiedTable {
  table: string
  key: string
  /** The second column of the key. */
  second?: string
}

/**
 * The tables of a library without its images, in an order that satisfies foreign keys. All other tables follow from
 * these: counters by triggers, the search index by `copy-images.ts`, the log of changes by triggers.
 */
export const tablesBeforeImages: readonly CopiedTable[] = [
  { table: 'boards', key: 'id' },
  { table: 'queue_batches', key: 'id' },
  { table: 'queue_items', key: 'item_id' },
  { table: 'queue_sessions', key: 'item' },
  { table: 'client_state', key: 'id' },
  { table: 'workflows', key: 'workflow_id' },
  { table: 'saved_searches', key: 'search_id' },
  { table: 'dismissed_duplicates', key: 'set_key' },
  { table: 'duplicate_resolutions', key: 'resolve_id' },
  { table: 'tags', key: 'id' },
  { table: 'tag_changes', key: 'change_id' },
  { table: 'imported_files', key: 'path_key' },
  { table: 'imports_under_way', key: 'import_id' },
  { table: 'upkeep_times', key: 'name' },
  { table: 'tombstones', key: 'image_name' },
]

export const imagesTable: CopiedTable = { table: 'images', key: 'id' }
export const metadataTable: CopiedTable = { table: 'image_metadata', key: 'image' }
export const fingerprintsTable: CopiedTable = { table: 'image_fingerprints', key: 'image' }

export const imageTagsTable: CopiedTable = { table: 'image_tags', key: 'image', second: 'tag' }

export const copiedTables: readonly CopiedTable[] = [
  ...tablesBeforeImages,
  imagesTable,
  metadataTable,
  fingerprintsTable,
  imageTagsTable,
]

export type Row = Readonly<Record<string, unknown>>

/** The columns of each copied table that both databases have. */
export type CopiedColumns = ReadonlyMap<string, readonly string[]>

/** A column that only one database has, such as the lease of a queue item, gets its default value. */
export const copiedColumns = async (one: Db, other: Db): Promise<CopiedColumns> => {
  const [columns, others] = [await columnsOf(one), await columnsOf(other)]
  return new Map(
    copiedTables.map(({ table }) => [
      table,
      (columns.get(table) ?? []).filter((column) => others.get(table)?.includes(column)),
    ]),
  )
}

/** Returns the columns of the tables of a library, in order of name. */
export const columnsOf = async (db: Db): Promise<Map<string, string[]>> => {
  const tables = await db.introspection.getTables()
  return new Map(
    tables
      .filter(({ schema = SCHEMA }) => schema === SCHEMA)
      .map(({ name, columns }) => [name, columns.map((column) => column.name).sort()]),
  )
}

/** The schema of the tables in PostgreSQL. SQLite reports none. */
const SCHEMA = 'tessera'

const MAX_ROWS = 1_000

/** Rows can be megabytes, so the size of a page follows the size of the rows before it. */
const PAGE_BYTES = 4_000_000
const FIRST_ROWS = 50

/** Returns the key of a row. */
export const keyOf = ({ key, second }: CopiedTable, row: Row): unknown =>
  second === undefined ? row[key] : [row[key], row[second]]

const keyColumns = ({ key, second }: CopiedTable): string[] =>
  second === undefined ? [key] : [key, second]

/** A column, or two as one value. */
const joinedKey = (parts: readonly unknown[]) =>
  parts.length === 1 ? sql`${parts[0]}` : sql`(${sql.join(parts)})`

const keyRef = (table: CopiedTable) => joinedKey(keyColumns(table).map((column) => sql.ref(column)))

const keyValue = (key: unknown) => joinedKey(Array.isArray(key) ? key : [key])

const keyOrder = (table: CopiedTable, direction = sql``) =>
  sql.join(keyColumns(table).map((column) => sql`${sql.ref(column)} ${direction}`))

export interface Range {
  /** Rows after this key. null: from the first. */
  after?: unknown
  /** Rows up to this key. null: to the last. */
  to?: unknown
}

/** Yields the rows of a table in the order of their keys, in pages of limited size. */
export async function* pagesOf(
  db: Db,
  table: CopiedTable,
  columns: readonly string[],
  { after = null, to = null }: Range = {},
): AsyncGenerator<Row[]> {
  let [last, limit] = [after, FIRST_ROWS]
  for (;;) {
    const conditions: RawBuilder<unknown>[] = [
      ...(last === null ? [] : [sql`${keyRef(table)} > ${keyValue(last)}`]),
      ...(to === null ? [] : [sql`${keyRef(table)} <= ${keyValue(to)}`]),
    ]
    const where = conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`
    const { rows } = await sql<Row>`
      SELECT ${namesOf(columns)} FROM ${sql.table(table.table)} ${where}
      ORDER BY ${keyOrder(table)} LIMIT ${limit}`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    last = keyOf(table, rows.at(-1) ?? {})
    const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 1)
    limit = Math.max(1, Math.min(MAX_ROWS, 2 * limit, Math.floor((limit * PAGE_BYTES) / bytes)))
  }
}

const bytesOf = (row: Row): number =>
  Object.values(row).reduce((sum: number, value) => sum + sizeOf(value), 0)

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8

const namesOf = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

/** Both databases accept at least this many parameters. */
const MAX_PARAMETERS = 30_000

export const insertRows = async (
  db: Db,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> => {
  const atOnce = Math.floor(MAX_PARAMETERS / columns.length)
  for (let at = 0; at < rows.length; at += atOnce) {
    const values = rows
      .slice(at, at + atOnce)
      .map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
    await sql`
      INSERT INTO ${sql.table(table)} (${namesOf(columns)}) VALUES ${sql.join(values)}`.execute(db)
  }
}

/** Returns the largest key of a table. null: it has no rows. */
export const lastKey = async (db: Db, table: CopiedTable): Promise<unknown> => {
  const { rows } = await sql<Row>`
    SELECT ${namesOf(keyColumns(table))} FROM ${sql.table(table.table)}
    ORDER BY ${keyOrder(table, sql`DESC`)} LIMIT 1`.execute(db)
  const [last] = rows
  return last === undefined ? null : keyOf(table, last)
}
