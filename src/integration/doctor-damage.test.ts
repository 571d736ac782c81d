import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect } from '#client/index.ts'
import { type DoctorFlags, diagnose as diagnoseLibrary } from '#server/commands/doctor.ts'
import { makeAutomaticBackup } from '#server/storage/backup/automatic-backups.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { expectConsistentLibrary } from './library-consistency.ts'

const PAGE = 4096
const IMAGES = 24

/** Each test damages a copy of it. */
let original: string
beforeAll(async () => {
  original = await createTemporaryFolder()
  const boards = [{ name: 'Board', imageCount: 8 }]
  await fillLibrary(original, { imageCount: IMAGES, pictureCount: 24, longestPx: 32, boards })
})
afterAll(() => removeFolder(original))

let folder: string
let path: string
beforeEach(async () => {
  folder = await createTemporaryFolder()
  path = join(folder, 'tessera.db')
  await cp(original, folder, { recursive: true, preserveTimestamps: true })
})
afterEach(() => removeFolder(folder))

const diagnose = async (flags: Omit<DoctorFlags, 'data'> = {}) => {
  const hooks = { signal: new AbortController().signal, onProgress: () => {} }
  return (await diagnoseLibrary({ data: folder, ...flags }, hooks)).problems
}

/** Overwrites pages, numbered from 1. */
const overwrite = async (pages: readonly number[]) => {
  const bytes = await readFile(path)
  for (const page of pages) bytes.fill((page * 37) % 256, (page - 1) * PAGE, page * PAGE)
  await writeFile(path, bytes)
}

/** Returns the pages of a table, the root first. */
const pagesOf = (table: string): number[] => {
  const database = new Database(path, { readonly: true })
  const select = database.prepare('SELECT pageno FROM dbstat WHERE name = ? ORDER BY path').pluck()
  const pages = select.all(table).map(Number)
  database.close()
  return pages
}

const rowsOf = (select: string): unknown[] => {
  const database = new Database(path, { readonly: true })
  const rows = database.prepare(select).raw().all()
  database.close()
  return rows
}

test('says what can be read of a damaged database, and changes nothing', async () => {
  await overwrite(pagesOf('images').slice(1, 2))
  const before = await readFile(path)

  const [problem, ...others] = await diagnose()

  expect(others).toEqual([])
  expect(problem?.text).toMatch(/^The database is damaged: 1 of \d+ pages cannot be read\./)
  expect(problem?.names).toContainEqual(expect.stringMatching(/^images: \d+ rows, others are lost/))
  expect(problem?.names).toContain('boards: 2 rows')
  expect(problem?.advice).toContain('tessera doctor --repair')
  expect(await readFile(path)).toEqual(before)
})

test('makes a new database, with which a server starts', async () => {
  await makeAutomaticBackup(folder, Date.now() - 1000)
  await overwrite(pagesOf('images').slice(0, 3))
  const started = openRecords({ dataFolder: folder })
  await expect(started).rejects.toThrow(/doctor --repair --data .*restore ".*backups/)

  const [made, ...others] = await diagnose({ repair: true })

  expect(made?.names.join()).toMatch(/images: 24 rows.*of these from the backup of 20/)
  expect([made, ...others].filter((problem) => problem?.isRepaired !== true)).toEqual([])
  expect((await readdir(folder)).join()).toContain('before-restore-')
  const server = await ServerProcess.start({ dataFolder: folder })
  await expectConsistentLibrary(connect({ baseUrl: server.url }), folder)
  await server.close()
})

test('says how many tags have lost their names, and on how many images they are @long', async () => {
  new Database(path)
    .exec(
      `INSERT INTO tags (id, name, name_key, used_at) VALUES (7, 'sea', 'sea', 0);
       INSERT INTO image_tags (image, tag) SELECT id, 7 FROM images LIMIT 3`,
    )
    .close()
  await overwrite(pagesOf('tags'))

  const [made] = await diagnose({ repair: true })

  expect(made?.names).toContain('tags whose names are lost, called “Recovered tag”: 1, on 3 images')
  expect(rowsOf('SELECT count(*) FROM images')).toEqual([[IMAGES]])
  const server = await ServerProcess.start({ dataFolder: folder })
  const client = connect({ baseUrl: server.url })
  expect((await client.tags.list()).map(({ name, count }) => [name, count])).toEqual([
    ['Recovered tag 7', 3],
  ])
  await server.close()
})

test('makes images of the files whose rows are lost, without a backup', async () => {
  await overwrite(pagesOf('images'))

  const [made, ...others] = await diagnose({ repair: true })

  expect(made?.text).toContain('there is no automatic backup')
  expect(others.map(({ text }) => text)).toContainEqual(
    '24 files had no record and became images without a board.',
  )
  expect(rowsOf('SELECT count(*) FROM images')).toEqual([[IMAGES]])
})
