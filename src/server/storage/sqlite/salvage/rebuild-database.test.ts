import { cp, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { rebuildDatabase } from './rebuild-database.ts'
import { hasDamagedLog } from './survey-database.ts'

const PAGE = 4096
const IMAGES = 400

/** Each test damages a copy of its database. */
let original: string
beforeAll(async () => {
  original = await createTemporaryFolder()
  const boards = Array.from({ length: 20 }, (_, at) => ({ name: `Board ${at}`, imageCount: 15 }))
  await fillLibrary(original, { imageCount: IMAGES, pictureCount: 1, longestPx: 32, boards })
})
afterAll(() => removeFolder(original))

let path: string
let to: string
beforeEach(async () => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  path = join(folder, 'tessera.db')
  to = join(folder, 'rebuilt.db')
  await cp(join(original, 'tessera.db'), path)
})

/** Overwrites pages, numbered from 1. */
const overwrite = async (pages: readonly number[]) => {
  const bytes = await readFile(path)
  for (const page of pages) bytes.fill((page * 37) % 256, (page - 1) * PAGE, page * PAGE)
  await writeFile(path, bytes)
}

const rowsOf = (file: string, select: string): unknown[] => {
  const database = new Database(file, { readonly: true })
  const rows = database.prepare(select).raw().all()
  database.close()
  return rows
}

/** Returns the pages of a table, the root first. */
const pagesOf = (table: string): number[] =>
  rowsOf(path, `SELECT pageno FROM dbstat WHERE name = '${table}' ORDER BY path`).flat().map(Number)

const rebuild = async (backup: string | null = null) => {
  const rebuilt = await rebuildDatabase({
    ...{ path, to, backup, imagesFolder: join(original, 'images'), onProgress: () => {} },
    signal: new AbortController().signal,
  })
  expect(rowsOf(to, 'PRAGMA integrity_check')).toEqual([['ok']])
  expect(rowsOf(to, 'PRAGMA foreign_key_check')).toEqual([])
  return rebuilt
}

const IMAGE_ROWS = `SELECT id, image_name, starred, created_at, file_size, hex(content_hash)
  FROM images ORDER BY id`
const BOARD_OF_IMAGE = `SELECT image_name, board_id FROM images JOIN boards ON boards.id = board
  ORDER BY image_name`

test.each(['images', 'boards', 'sqlite_schema'])(
  'keeps the rows of all other pages if the root of %s is lost',
  async (table) => {
    const [images, boards] = [rowsOf(path, IMAGE_ROWS), rowsOf(path, BOARD_OF_IMAGE)]
    const [root = 0, ...others] = pagesOf(table)
    await overwrite([root])

    const { namelessBoards } = await rebuild()

    const isOnePage = others.length === 0
    expect(rowsOf(to, IMAGE_ROWS)).toEqual(images)
    expect(namelessBoards).toBe(table === 'boards' && isOnePage ? 20 : 0)
    if (table !== 'boards') expect(rowsOf(to, BOARD_OF_IMAGE)).toEqual(boards)
  },
)

test('loses nothing if only the header is destroyed', async () => {
  const boards = rowsOf(path, BOARD_OF_IMAGE)
  await writeFile(path, (await readFile(path)).fill(255, 0, 100))
  await rebuild()
  expect(rowsOf(to, BOARD_OF_IMAGE)).toEqual(boards)
})

test('keeps the images in the rest of a file that was cut off', async () => {
  const half = pagesOf('images')[10] ?? 0
  await truncate(path, half * PAGE - 100)
  const { tables } = await rebuild()
  const left = tables.find(({ name }) => name === 'images')
  expect(left?.isWhole).toBe(false)
  expect(left?.rows).toBeGreaterThan(50)
})

test('adds the rows that cannot be read from a backup', async () => {
  const boards = rowsOf(path, BOARD_OF_IMAGE)
  const backup = join(path, '../backup.db')
  await cp(path, backup)
  await overwrite([...pagesOf('boards'), ...pagesOf('images').slice(3, 9)])

  const { fromBackup } = await rebuild(backup)

  expect(fromBackup).toMatchObject({ boards: 20, images: expect.any(Number) })
  expect(rowsOf(to, BOARD_OF_IMAGE)).toEqual(boards)
})

/** Tags all images with `all`, and the first five also with `few`. */
const addTags = () =>
  new Database(path)
    .exec(
      `INSERT INTO tags (id, name, name_key, used_at) VALUES (1, 'all', 'all', 0), (2, 'few', 'few', 0);
       INSERT INTO image_tags (image, tag) SELECT id, 1 FROM images;
       INSERT INTO image_tags (image, tag) SELECT id, 2 FROM images LIMIT 5`,
    )
    .close()

const TAGS = 'SELECT name, count(*) FROM image_tags JOIN tags ON tags.id = tag GROUP BY tag'

test('keeps the images of tags whose rows are lost, and says how many', async () => {
  addTags()
  await overwrite(pagesOf('tags'))

  const { namelessTags } = await rebuild()

  expect(namelessTags).toEqual({ tags: 2, images: IMAGES })
  expect(rowsOf(to, 'SELECT count(*) FROM images')).toEqual([[IMAGES]])
  expect(rowsOf(to, TAGS)).toEqual([
    ['Recovered tag 1', IMAGES],
    ['Recovered tag 2', 5],
  ])
})

test('gives no recovered tag the name of another one', async () => {
  addTags()
  const insert =
    "INSERT INTO tags (name, name_key, used_at) VALUES ('recovered TAG 1', 'recovered tag 1', 0)"
  const backup = join(path, '../backup.db')
  await cp(path, backup)
  new Database(backup).exec(`DELETE FROM tags; ${insert}`).close()
  await overwrite(pagesOf('tags'))

  const { namelessTags } = await rebuild(backup)

  expect(namelessTags.tags).toBe(2)
  expect(rowsOf(to, 'SELECT name FROM tags ORDER BY name')).toEqual([
    ['Recovered tag 1 (2)'],
    ['Recovered tag 2'],
    ['recovered TAG 1'],
  ])
})

test('keeps the images and the names of tags if it is lost who has them', async () => {
  addTags()
  await overwrite(pagesOf('image_tags'))

  const { namelessTags, tables } = await rebuild()

  expect(namelessTags).toEqual({ tags: 0, images: 0 })
  expect(tables).toContainEqual({ name: 'image_tags', rows: 0, isWhole: false })
  expect(rowsOf(to, 'SELECT count(*) FROM images')).toEqual([[IMAGES]])
  expect(rowsOf(to, 'SELECT name FROM tags')).toEqual([['all'], ['few']])
})

test('takes the names of tags from a backup', async () => {
  addTags()
  const backup = join(path, '../backup.db')
  await cp(path, backup)
  await overwrite([...pagesOf('tags'), ...pagesOf('image_tags')])

  const { namelessTags, fromBackup } = await rebuild(backup)

  expect(namelessTags).toEqual({ tags: 0, images: 0 })
  expect(fromBackup).toMatchObject({ tags: 2, image_tags: IMAGES + 5 })
  expect(rowsOf(to, TAGS)).toEqual([
    ['all', IMAGES],
    ['few', 5],
  ])
})

test('renews the keys of tags if it is lost which version wrote them', async () => {
  new Database(path)
    .exec("INSERT INTO tags (id, name, name_key, used_at) VALUES (1, 'C#', 'c', 0)")
    .close()
  await overwrite(pagesOf('kysely_migration'))

  await rebuild()

  expect(rowsOf(to, 'SELECT name, name_key FROM tags')).toEqual([['C#', 'c#']])
})

test('takes all from a backup if nothing can be read', async () => {
  const backup = join(path, '../backup.db')
  await cp(path, backup)
  await writeFile(path, 'no database'.repeat(1000))
  await rebuild(backup)
  expect(rowsOf(to, BOARD_OF_IMAGE)).toEqual(rowsOf(join(original, 'tessera.db'), BOARD_OF_IMAGE))
})

test('keeps changes in the log behind a damaged one', async () => {
  const records = await openRecords({ dataFolder: join(path, '..') })
  for (const board_name of ['first', 'second', 'third']) {
    await records.boards.create({ board_name, board_visibility: 'private' })
  }
  const [database, log] = [await readFile(path), await readFile(`${path}-wal`)]
  await records.close()
  await writeFile(path, database)
  await writeFile(`${path}-wal`, log)
  expect(hasDamagedLog(path)).toBe(false)
  await writeFile(`${path}-wal`, log.fill(9, 32 + 24 + 100, 32 + 24 + 300))
  expect(hasDamagedLog(path)).toBe(true)

  await rebuild()

  const names = rowsOf(to, "SELECT board_name FROM boards WHERE board_name IN ('second', 'third')")
  expect(names).toHaveLength(2)
})

test('keeps most images with any six overwritten pages', async () => {
  const whole = await readFile(path)
  const pages = whole.length / PAGE
  for (let seed = 1; seed <= 5; seed += 1) {
    await writeFile(path, whole)
    await overwrite(
      Array.from({ length: 6 }, (_, at) => 1 + ((seed * 7919 + at * 104_729) % pages)),
    )
    to = join(path, `../rebuilt-${seed}.db`)
    const { tables } = await rebuild()
    expect(tables.find(({ name }) => name === 'images')?.rows).toBeGreaterThan(IMAGES / 2)
  }
})
