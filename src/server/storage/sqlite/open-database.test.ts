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
  // 2 is FULL: what is committed survives a power cut.
  ['synchronous', 2],
  ['foreign_keys', 1],
])('a connection has %s set to %s', async (pragma, value) => {
  const db = await open()

  const { rows } = await sql`PRAGMA ${sql.raw(pragma)}`.execute(db)

  expect(rows).toEqual([{ [pragma]: value }])
})

test('an error within a transaction is the one that is thrown, and nothing is written', async () => {
  const db = await open()
  await sql`CREATE TABLE rows (id INTEGER PRIMARY KEY)`.execute(db)

  const twice = db.transaction().execute(async (rows) => {
    await sql`INSERT INTO rows VALUES (1)`.execute(rows)
    await sql`INSERT INTO rows VALUES (1)`.execute(rows)
  })

  await expect(twice).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })
  expect((await sql`SELECT * FROM rows`.execute(db)).rows).toEqual([])
})
