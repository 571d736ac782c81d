import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '#demo/seeded-random.ts'
import type { Records } from '#server/core/record-ports.ts'
import { addAll, namesIn } from '#testing/ports/new-image.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { firstLibrary } from './migrations/0001-first-library.ts'
import { openDatabase } from './open-database.ts'
import { openLibrary } from './open-library.ts'
import { openRecords } from './open-records.ts'

const createFolder = async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  return { dataFolder, path: join(dataFolder, 'tessera.db') }
}

test('returns the stored images after the library is closed and reopened', async () => {
  const { dataFolder } = await createFolder()
  const first = await openRecords({ dataFolder })
  await addAll(first, 'a.png')
  await first.close()

  const second = await openRecords({ dataFolder })
  expect(await namesIn(second)).toEqual(['a.png'])
  expect(second.upkeep.revision()).not.toBe(first.upkeep.revision())
  await second.close()
  await expect(namesIn(second)).rejects.toMatchObject({ code: 'stopping' })
})

/** Creates a library of the first version of Tessera. */
const makeOldLibrary = async (path: string) => {
  const db = openDatabase(path, { readonly: false }) as Kysely<unknown>
  const provider = { getMigrations: async () => ({ '0001-first-library': firstLibrary }) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  await db.destroy()
  expect(error).toBeUndefined()
}

const migrationsIn = (path: string) => {
  const database = new Sqlite(path, { readonly: true })
  onTestFinished(() => void database.close())
  return database.prepare('SELECT name FROM kysely_migration').pluck().all()
}

test('backs up an older library once before its migration', async () => {
  const { dataFolder, path } = await createFolder()
  await makeOldLibrary(path)

  for (let start = 0; start < 2; start++) await (await openRecords({ dataFolder })).close()

  const copies = await readdir(join(dataFolder, 'backups'))
  expect(copies).toEqual([expect.stringMatching(/^tessera-.*\.db$/)])
  expect(migrationsIn(join(dataFolder, 'backups', copies[0] ?? ''))).toEqual(['0001-first-library'])
  expect(migrationsIn(path).length).toBeGreaterThan(1)
})

test('does not migrate an older library that cannot be backed up', async () => {
  const { dataFolder, path } = await createFolder()
  await makeOldLibrary(path)
  await writeFile(join(dataFolder, 'backups'), 'a file where the folder belongs')

  await expect(openRecords({ dataFolder })).rejects.toThrow(
    /not updated, because it could not be copied to backups\/ first: EEXIST/,
  )
  expect(migrationsIn(path)).toEqual(['0001-first-library'])
})

test('does not migrate a damaged older library', async () => {
  const { dataFolder, path } = await createFolder()
  await makeOldLibrary(path)
  const database = new Sqlite(path, { readonly: true })
  const select = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'images'")
  const page = Number(select.pluck().get())
  const pageBytes = Number(database.pragma('page_size', { simple: true }))
  database.close()
  const bytes = await readFile(path)
  bytes.fill(0xff, (page - 1) * pageBytes, page * pageBytes)
  await writeFile(path, bytes)

  await expect(openRecords({ dataFolder })).rejects.toThrow(`${path} is damaged. To see`)
  expect(migrationsIn(path)).toEqual(['0001-first-library'])
})

test('refuses a library that a newer version wrote', async () => {
  const { dataFolder, path } = await createFolder()
  await (await openRecords({ dataFolder })).close()
  const database = new Sqlite(path)
  database.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030')")
  database.close()

  await expect(openRecords({ dataFolder })).rejects.toThrow('newer version of Tessera')
})

test('refuses a file that is not a database and leaves it unchanged', async () => {
  const { dataFolder, path } = await createFolder()
  const text = 'not a database at all '.repeat(500)
  await writeFile(path, text)

  await expect(openRecords({ dataFolder })).rejects.toThrow(`${path} is damaged`)
  expect(await readFile(path, 'utf8')).toBe(text)
})

test('refuses a database of another program and leaves it unchanged', async () => {
  const { dataFolder, path } = await createFolder()
  new Sqlite(path).exec('CREATE TABLE images (id)').close()
  const before = await readFile(path)

  await expect(openRecords({ dataFolder })).rejects.toThrow('of another program')
  expect(await readFile(path)).toEqual(before)
})

test('does not create a missing or empty database if mayCreate is false', async () => {
  const { dataFolder, path } = await createFolder()
  const open = () => openRecords({ dataFolder, mayCreate: false })

  await expect(open()).rejects.toThrow(`${path} is missing`)
  expect(existsSync(path)).toBe(false)
  await writeFile(path, '')
  await expect(open()).rejects.toThrow(`${path} is empty`)
  new Sqlite(path).exec('CREATE TABLE t (id)').exec('DROP TABLE t').close()
  await expect(open()).rejects.toThrow(`${path} is empty`)
})

test('refuses a library with random damage, unless the damage has no effect @long', async () => {
  const { dataFolder, path } = await createFolder()
  const library = await openRecords({ dataFolder })
  const names = Array.from({ length: 60 }, (_, at) => `${at}.png`)
  await addAll(library, ...names)
  await library.close()
  const whole = await readFile(path)

  for (let seed = 1; seed <= 6; seed++) {
    const random = seededRandom(seed)
    const torn = Buffer.from(whole)
    for (let page = 0; page < 2; page++) {
      const start = random.integer(100, whole.length - 64)
      for (let at = start; at < start + 64; at++) torn[at] = random.integer(0, 255)
    }
    await writeFile(path, torn)
    const opened = await openRecords({ dataFolder }).catch((error: unknown) => error)
    if (opened instanceof Error) expect(opened.message).toContain(`${path} is damaged.`)
    else {
      const records = opened as Records
      expect(await records.upkeep.checkDatabase('full'), `seed ${seed}`).toEqual([])
      expect(await namesIn(records)).toHaveLength(60)
      await records.close()
    }
  }
})

test('reports a full disk when opening a library', async () => {
  const { path } = await createFolder()
  const db = openDatabase(path, { readonly: false })
  await sql`PRAGMA max_page_count = 20`.execute(db)

  expect(await openLibrary(() => db)).toBe('full')
  await db.destroy()
})

test('reports a read-only library', async () => {
  const { path } = await createFolder()
  new Sqlite(path).exec('CREATE TABLE kysely_other (id)').close()
  const db = openDatabase(path, { readonly: true })

  expect(await openLibrary(() => db)).toBe('read_only')
  await db.destroy()
})
