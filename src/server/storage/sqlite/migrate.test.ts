import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import type { MigrationProgress } from '#server/storage/sql/library-migration.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { compareSchema, migrate } from './migrate.ts'
import { firstLibrary } from './migrations/0001-first-library.ts'
import { openDatabase } from './open-database.ts'
import { openRecords } from './open-records.ts'

const open = async (statements = '') => {
  const folder = await createTemporaryFolder()
  new Sqlite(join(folder, 'tessera.db')).exec(statements).close()
  const db = openDatabase(join(folder, 'tessera.db'), { readonly: false }) as Kysely<unknown>
  onTestFinished(async () => {
    await db.destroy()
    await removeFolder(folder)
  })
  return db
}

const schemaOf = async (db: Kysely<unknown>) =>
  (await sql`SELECT name, sql FROM sqlite_schema ORDER BY name`.execute(db)).rows

const tablesOf = async (db: Kysely<unknown>) => {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_schema`.execute(db)
  return rows.map(({ name }) => name)
}

const recordedNames = async (db: Kysely<unknown>) => {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

const folder = new URL('migrations/', import.meta.url)
const migrationFiles = readdirSync(folder).filter((name) => /^\d.*(?<!\.test)\.ts$/.test(name))

test('migrates a library that an earlier version wrote', async () => {
  const db = await open(readFileSync(new URL('recorded-library.sql', folder), 'utf8'))
  const recorded = await recordedNames(db)
  expect(await compareSchema(db)).toBe('older')

  expect(await migrate(db)).toBe('done')

  const created = await open()
  await migrate(created)
  expect(await schemaOf(db)).toEqual(await schemaOf(created))
  expect(await recordedNames(db)).toEqual(await recordedNames(created))
  expect(await recordedNames(db)).toEqual(expect.arrayContaining(recorded))
  const { rows } = await sql`
    SELECT image_name, board_name, images.starred, prompt_start FROM images
    JOIN boards ON boards.id = board WHERE images.deleted_at IS NULL
    ORDER BY name_key`.execute(db)
  expect(rows).toEqual([
    { image_name: 'b.png', board_name: '', starred: 0, prompt_start: null },
    { image_name: 'a.png', board_name: 'Castles', starred: 1, prompt_start: 'a castle in fog' },
  ])
})

test('reports the steps while a library is updated, and none afterwards', async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const recorded = readFileSync(new URL('recorded-library.sql', folder), 'utf8')
  new Sqlite(join(dataFolder, 'tessera.db')).exec(recorded).close()
  const reported: MigrationProgress[] = []
  const onMigration = (progress: MigrationProgress) => reported.push(progress)

  await (await openRecords({ dataFolder, onMigration })).close()

  const { steps = 0 } = reported[0] ?? {}
  const numbers = Array.from({ length: steps }, (_, at) => at + 1)
  expect(steps).toBeGreaterThan(5)
  expect(reported.map(({ step, share }) => [step, share])).toEqual(numbers.map((at) => [at, 0]))
  await (await openRecords({ dataFolder, onMigration })).close()
  expect(reported).toHaveLength(steps)
})

test('records the names of released migrations unchanged, and new ones by their files', async () => {
  const db = await open()

  await migrate(db)

  const [released, added] = [migrationFiles.slice(0, 11), migrationFiles.slice(11)]
  expect(released).toHaveLength(11)
  expect(new Set(await recordedNames(db))).toEqual(
    new Set([
      '0001-first-library',
      '2026-11-22-orders',
      '2026-11-22-queue',
      '2026-11-22-state-of-clients',
      '2026-11-23-imports',
      '2026-11-24-imports-under-way',
      '2026-11-27-upkeep-times',
      '2026-11-28-image-changes',
      '2026-11-29-previous-places',
      '2026-11-29-prompt-starts',
      '2026-11-30-counted-bytes',
      ...added.map((name) => `m${name.replace('.ts', '')}`),
    ]),
  )
})

test('numbers the migrations in the order in which they run', () => {
  const numbers = migrationFiles.map((name) => Number.parseInt(name, 10))
  const list = readFileSync(new URL('migrate.ts', import.meta.url), 'utf8')
  const imported = [...list.matchAll(/import \{ (\w+) \} from '\.\/migrations\//g)]
  const listed = [...list.matchAll(/^ {2}'?([\w-]+)'?: (\w+),$/gm)]
  const recorded = listed.map(([, name]) => name)

  expect(numbers).toEqual(numbers.map((_, at) => at + 1))
  expect(listed.map(([, , migration]) => migration)).toEqual(imported.map(([, it]) => it))
  expect(recorded).toEqual(recorded.toSorted())
})

test.each(migrationFiles)('%s imports only Kysely', (name) => {
  const text = readFileSync(new URL(name, folder), 'utf8')

  const imported = [...text.matchAll(/ from '([^']+)'/g)].map(([, specifier]) => specifier)
  expect(['kysely', 'kysely/migration']).toEqual(expect.arrayContaining(imported))
})

test('leaves an older library unchanged if there is no space to migrate it', async () => {
  const db = await open()
  const provider = { getMigrations: async () => ({ '0001-first-library': firstLibrary }) }
  await new Migrator({ db, provider }).migrateToLatest()
  await sql`INSERT INTO boards (board_id, board_name, board_visibility, created_at, updated_at)
    VALUES ('b', 'Castles', 'shared', 1, 1)`.execute(db)
  const schema = await schemaOf(db)
  const { rows: pages } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(db)
  await sql`PRAGMA max_page_count = ${sql.lit(pages[0]?.page_count ?? 0)}`.execute(db)

  await expect(migrate(db)).rejects.toMatchObject({ code: 'SQLITE_FULL' })

  expect(await schemaOf(db)).toEqual(schema)
  expect(await compareSchema(db)).toBe('older')
  await sql`PRAGMA max_page_count = 10000`.execute(db)
  expect(await migrate(db)).toBe('done')
  const { rows } = await sql`SELECT board_name FROM boards WHERE board_id = 'b'`.execute(db)
  expect(rows).toEqual([{ board_name: 'Castles' }])
})

test('leaves no partial schema on a full disk, and creates it when there is space', async () => {
  const db = await open()
  await sql`PRAGMA max_page_count = 20`.execute(db)

  await expect(migrate(db)).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  expect(await tablesOf(db)).not.toContain('boards')

  await sql`PRAGMA max_page_count = 10000`.execute(db)
  expect(await migrate(db)).toBe('done')
  expect(await tablesOf(db)).toContain('images')
})
