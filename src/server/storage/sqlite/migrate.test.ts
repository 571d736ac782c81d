import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { compareSchema, migrate } from './migrate.ts'
import { firstLibrary } from './migrations/first-library.ts'
import { openDatabase } from './open-database.ts'

const open = async () => {
  const folder = await createTemporaryFolder()
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
