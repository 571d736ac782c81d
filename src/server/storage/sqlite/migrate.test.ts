import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { migrate } from './migrate.ts'
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

const tablesOf = async (db: Kysely<unknown>) => {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_schema`.execute(db)
  return rows.map(({ name }) => name)
}

test('a schema for which there is no room leaves nothing, and is made when there is', async () => {
  const db = await open()
  await sql`PRAGMA max_page_count = 20`.execute(db)

  await expect(migrate(db)).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  expect(await tablesOf(db)).not.toContain('boards')

  await sql`PRAGMA max_page_count = 10000`.execute(db)
  expect(await migrate(db)).toBe('done')
  expect(await tablesOf(db)).toContain('images')
})
