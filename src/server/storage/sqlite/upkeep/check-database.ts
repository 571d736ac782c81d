import { type Kysely, sql } from 'kysely'
import type { DatabaseFault } from '#server/core/record-ports.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { checkCounters, numberFrom } from '#server/storage/sql/upkeep/repair.ts'
import { migrate } from '#server/storage/sqlite/migrate.ts'
import { openDatabase } from '#server/storage/sqlite/open-database.ts'

/** Maximum number of messages of SQLite. One damaged page can cause thousands. */
const MAX_MESSAGES = 20

/** Up to this size the full check, which takes 25 ms per megabyte, replaces the quick one. */
const SMALL_BYTES = 16 * 1024 * 1024

/** Messages about an index only: its table is intact, so the index can be rebuilt. */
const OF_AN_INDEX =
  /^(?:row \d+ missing from index|wrong # of entries in index|non-unique entry in index)/

/**
 * @param depth - `quick`: pages and schema; a million images take 5 s. `full`: also indexes against tables,
 *   references, counters and search; a million images take a minute.
 */
export const checkDatabase = async (db: Db, depth: 'quick' | 'full'): Promise<DatabaseFault[]> => {
  const schema = await checkSchema(db)
  const isFull = depth === 'full' || (await sizeOf(db)) <= SMALL_BYTES
  const structure = await checkStructure(db, isFull)
  if (depth === 'quick' || schema.length > 0 || structure.some((fault) => !fault.canRepair)) {
    return [...schema, ...structure]
  }
  const rest = [await checkReferences(db), ...(await checkCounters(db)), await checkSearch(db)]
  return [...structure, ...rest.flatMap((fault) => fault ?? [])]
}

/** Returns true if a check that takes a fraction of a second finds no damage. */
export const isSound = async (db: Db): Promise<boolean> => {
  if ((await checkSchema(db)).length > 0) return false
  return (await sizeOf(db)) > SMALL_BYTES || (await checkStructure(db, true)).length === 0
}

const sizeOf = (db: Db): Promise<number> =>
  numberFrom(db, sql`SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`)

const checkStructure = async (db: Db, isFull: boolean): Promise<DatabaseFault[]> => {
  const check = sql.raw(`PRAGMA ${isFull ? 'integrity' : 'quick'}_check(${MAX_MESSAGES})`)
  const { rows } = await check.execute(db)
  const messages = rows.flatMap((row) => Object.values(row as object).map(String))
  const damage = messages.filter((message) => message !== 'ok')
  const ofIndexes = damage.filter((message) => OF_AN_INDEX.test(message))
  const others = damage.filter((message) => !OF_AN_INDEX.test(message))
  return [
    ...fault('index', ofIndexes, true, 'The database has a damaged index'),
    ...fault('structure', others, false, 'The database is damaged'),
  ]
}

const fault = (
  kind: DatabaseFault['kind'],
  messages: readonly string[],
  canRepair: boolean,
  text: string,
): DatabaseFault[] => {
  const [first] = messages
  if (first === undefined) return []
  return [{ kind, canRepair, text: `${text} (SQLite: ${first.replaceAll('\n', ' ')}).` }]
}

interface SchemaEntry {
  type: string
  name: string
  text: string
}

const selectSchema = async (db: Db): Promise<SchemaEntry[]> => {
  const { rows } = await sql<SchemaEntry>`
    SELECT type, name, sql AS text FROM sqlite_schema
    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'`.execute(db)
  return rows
}

/** Returns tables, indexes and triggers of the migrations that this database lacks. Tables come first. */
const missingInSchema = async (db: Db): Promise<SchemaEntry[]> => {
  await using model = openDatabase(':memory:', { readonly: false })
  await migrate(model as Kysely<unknown>)
  const there = new Set((await selectSchema(db)).map(({ type, name }) => `${type} ${name}`))
  return (await selectSchema(model)).filter(
    // A virtual table creates its shadow tables itself.
    ({ type, name }) => !there.has(`${type} ${name}`) && !/_fts_/.test(name),
  )
}

const checkSchema = async (db: Db): Promise<DatabaseFault[]> => {
  const missing = await missingInSchema(db)
  if (missing.length === 0) return []
  const names = missing.map(({ type, name }) => `${type} ${name}`).join(', ')
  const isTable = missing.some(({ type }) => type === 'table')
  return [{ kind: 'schema', canRepair: !isTable, text: `The database lacks parts: ${names}.` }]
}

const checkReferences = async (db: Db): Promise<DatabaseFault | null> => {
  const count = await numberFrom(
    db,
    sql`SELECT (SELECT count(*) FROM pragma_foreign_key_check) +
      (SELECT count(*) FROM images WHERE board NOT IN (SELECT id FROM boards))`,
  )
  if (count === 0) return null
  const text = `${count} rows refer to rows that do not exist.`
  return { kind: 'references', canRepair: false, text }
}

const checkSearch = async (db: Db): Promise<DatabaseFault | null> => {
  const count = await numberFrom(
    db,
    sql`SELECT (SELECT count(*) FROM images WHERE id NOT IN (SELECT id FROM images_fts_docsize)) +
      (SELECT count(*) FROM images_fts_docsize WHERE id NOT IN (SELECT id FROM images))`,
  )
  if (count === 0) return null
  const text = `The search index does not agree with ${count} images.`
  return { kind: 'search', canRepair: true, text }
}

/** Creates missing indexes and triggers, and rebuilds all indexes. */
export const repairSchema = async (db: Db): Promise<void> => {
  for (const { text } of await missingInSchema(db)) await sql.raw(text).execute(db)
  await sql`REINDEX`.execute(db)
}
