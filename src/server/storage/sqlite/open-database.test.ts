import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openDatabase } from './open-database.ts'

const open = async () => {
  const folder = await createTemporaryFolder()
  const db = openDatabase(join(folder, 'tessera.db'), { readonly: false })
  onTestFinished(async () => {
    await db.destroy()
    await removeFolder(folder)
  })
  return db
}

test.each([
  ['journal_mode', 'wal'],
  // 2 is FULL: commits survive a power failure.
  ['synchronous', 2],
  ['foreign_keys', 1],
])('sets the pragma %s to %s', async (pragma, value) => {
  const db = await open()

  const { rows } = await sql`PRAGMA ${sql.raw(pragma)}`.execute(db)

  expect(rows).toEqual([{ [pragma]: value }])
})

test('throws the original error of a transaction and writes nothing', async () => {
  const db = await open()
  await sql`CREATE TABLE rows (id INTEGER PRIMARY KEY)`.execute(db)

  const twice = db.transaction().execute(async (rows) => {
    await sql`INSERT INTO rows VALUES (1)`.execute(rows)
    await sql`INSERT INTO rows VALUES (1)`.execute(rows)
  })

  await expect(twice).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })
  expect((await sql`SELECT * FROM rows`.execute(db)).rows).toEqual([])
})
