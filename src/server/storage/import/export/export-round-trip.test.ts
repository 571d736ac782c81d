import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  option,
  record,
  string,
} from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { parseNamePattern } from '#contract/downloads/name-pattern.ts'
import { cleanBoardName } from '#server/core/imports/import-boards.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { exportInto, importFrom, visibleContentOf } from '#testing/library/export-and-import.ts'
import { empty, type Library, reuseLibraries } from '#testing/library/open-library.ts'
import { roundsOf } from '#testing/rounds.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const openLibrary = reuseLibraries()

const emptyFolder = async () => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** Settings for files with names like `2026/Cats_a.png`. */
const named = (text: string) => {
  const { pattern } = parseNamePattern(text)
  return { names: pattern && { pattern, timeZone: 'UTC' } }
}

type Upload = Parameters<Library['ingest']['ingest']>[0]

const upload = async ({ ingest }: Library, name: string, options: Partial<Upload> = {}) => {
  const source = (await drawFile(name)).stream()
  return (await ingest.ingest({ source, category: 'user', fileName: name, ...options })).image
}

test('restores the same library from an export', async () => {
  const from = await openLibrary()
  const cats = await from.boards.create({ board_name: 'Cats/Old', board_visibility: 'private' })
  from.clock.advance(1)
  const twin = await from.boards.create({ board_name: 'Cats/Old', board_visibility: 'public' })
  const hidden = await from.boards.create({ board_name: 'CON', board_visibility: 'shared' })
  await from.boards.update(hidden.board_id, { archived: true, description: 'Never\nseen' })
  await from.boards.update(twin.board_id, { position: 'a1V' })
  await upload(from, 'a.png', { boardId: cats.board_id, starred: true, metadata: '{"seed":1.0}' })
  const cover = await upload(from, 'b.jpg', { boardId: cats.board_id, category: 'mask' })
  await upload(from, 'a.png', { boardId: cats.board_id, nodeId: 'node', sessionId: 'run' })
  await upload(from, 'd.gif', { boardId: twin.board_id })
  await upload(from, 'c.webp', { fileName: null, takenAt: 1_600_000_000_000 })
  await from.boards.update(cats.board_id, { cover_image_name: cover.image_name, starred: true })
  const folder = await emptyFolder()

  expect(await exportInto(from, folder)).toMatchObject({ found: 5, copied: 5, failed: 0 })
  const to = await openLibrary()
  expect(await importFrom(to, folder)).toMatchObject({ source: 'export', taken_in: 5, refused: 0 })

  expect(await visibleContentOf(to)).toEqual(await visibleContentOf(from))
  expect(await importFrom(to, folder)).toMatchObject({ found: 5, taken_in: 0, known: 5 })
  expect(await importFrom(from, folder)).toMatchObject({ found: 5, taken_in: 0, known: 5 })
})

test('keeps ratings and tags, also through XMP sidecars alone', async () => {
  const from = await openLibrary()
  const rated = await upload(from, 'a.png')
  await upload(from, 'b.jpg')
  await from.images.setRating([rated.image_name], 4)
  await from.tags.apply(
    [rated.image_name],
    { add: ['people/anna', 'R&D <b>'], remove: [] },
    { maxTags: 9 },
  )
  const folder = await emptyFolder()

  await exportInto(from, folder, { hasXmp: true })
  const to = await openLibrary()
  await importFrom(to, folder)
  expect(await visibleContentOf(to)).toEqual(await visibleContentOf(from))

  const files = await readdir(join(folder, 'Assets'))
  expect(files.toSorted()).toEqual([...['a.png', 'a.png.json', 'a.png.xmp', 'b.jpg', 'b.jpg.json']])
  await Promise.all([
    ...files
      .filter((name) => name.endsWith('.json'))
      .map((name) => rm(join(folder, 'Assets', name))),
    rm(join(folder, 'tessera-export.json')),
  ])
  const plain = await openLibrary()
  await importFrom(plain, join(folder, 'Assets'))
  const { images } = await visibleContentOf(plain)
  expect(images.map(({ file_name, rating, tags }) => ({ file_name, rating, tags }))).toEqual(
    expect.arrayContaining([
      { file_name: 'a.png', rating: 4, tags: ['people/anna', 'R&D <b>'] },
      { file_name: 'b.jpg', rating: 0, tags: [] },
    ]),
  )
})

test('empties the XMP sidecar of an image that lost its rating', async () => {
  const from = await openLibrary()
  const rated = await upload(from, 'a.png')
  await from.images.setRating([rated.image_name], 4)
  const folder = await emptyFolder()
  await exportInto(from, folder, { hasXmp: true })
  await from.images.setRating([rated.image_name], 0)

  await exportInto(from, folder, { hasXmp: true })

  expect(await readFile(join(folder, 'Assets', 'a.png.xmp'), 'utf8')).toContain('xmp:Rating="0"')
})

test('leaves XMP sidecars that another program changed', async () => {
  const from = await openLibrary()
  const rated = await upload(from, 'a.png')
  await from.images.setRating([rated.image_name], 4)
  const folder = await emptyFolder()
  const path = join(folder, 'Assets', 'a.png.xmp')
  await exportInto(from, folder, { hasXmp: true })
  await from.images.setRating([rated.image_name], 2)

  await exportInto(from, folder, { hasXmp: true })
  expect(await readFile(path, 'utf8')).toContain('xmp:Rating="2"')
  await writeFile(path, '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="darktable"/>')
  await exportInto(from, folder, { hasXmp: true })

  expect(await readFile(path, 'utf8')).toContain('darktable')
})

test('restores the same library from an export with names by a pattern', async () => {
  const from = await openLibrary()
  const cats = await from.boards.create({ board_name: 'Cats/Old', board_visibility: 'private' })
  for (const boardId of [cats.board_id, undefined, cats.board_id]) {
    await upload(from, 'a.png', { boardId })
    from.clock.advance(1)
  }
  const folder = await emptyFolder()

  await exportInto(from, folder, named('{year} {width}/../{name}'))
  const again = await exportInto(from, folder, named('{year} {width}/../{name}'))
  const to = await openLibrary()
  await importFrom(to, folder)

  expect(again).toMatchObject({ found: 3, copied: 0, known: 3, failed: 0 })
  expect(await visibleContentOf(to)).toEqual(await visibleContentOf(from))
})

const names = constantFrom(
  '',
  '..',
  'CON',
  'a/b',
  'A/B',
  'a.',
  'Assets',
  '.x',
  '\u{1f408}',
  'x'.repeat(290),
)
const boardName = names.chain((name) =>
  string({ maxLength: 4, unit: 'binary' }).map((end) => name + end),
)
const fileName = constantFrom(
  'a.png',
  'A.PNG',
  'tessera-export.json',
  'a.png.json',
  'ü'.repeat(250),
  '...',
  'b',
)

const libraries = record({
  boards: array(
    record({ name: boardName.map(cleanBoardName), archived: boolean(), starred: boolean() }),
    { maxLength: 5 },
  ),
  images: array(
    record({
      picture: constantFrom('a.png', 'b.jpg', 'c.gif'),
      fileName: option(fileName),
      board: integer({ min: -2, max: 4 }),
      starred: boolean(),
      category: constantFrom('general' as const, 'user' as const, 'control' as const),
      createdAt: constantFrom(1_700_000_000_000, 1_700_000_000_001, 1_700_000_100_000),
    }),
    { maxLength: 12 },
  ),
})

test('restores any generated library from its export', { timeout: 300_000 }, async () => {
  const [from, to] = [await openLibrary(), await openLibrary()]
  await assert(
    asyncProperty(libraries, async ({ boards, images }) => {
      await empty(from)
      await empty(to)
      const folder = await emptyFolder()
      const ids: string[] = []
      for (const { name, ...changes } of boards) {
        from.clock.advance(1)
        const made = await from.boards.create({ board_name: name, board_visibility: 'shared' })
        await from.boards.update(
          made.board_id,
          changes.starred ? changes : { archived: changes.archived },
        )
        ids.push(made.board_id)
      }
      for (const { picture, board, ...options } of images) {
        await upload(from, picture, { ...options, boardId: ids[board] })
      }

      expect(await exportInto(from, folder)).toMatchObject({ failed: 0 })
      expect(await importFrom(to, folder)).toMatchObject({ refused: 0, taken_in: images.length })

      expect(await visibleContentOf(to)).toEqual(await visibleContentOf(from))
    }),
    { numRuns: roundsOf({ usual: 1, all: 4 }) },
  )
})

test('imports an image with a broken sidecar as a plain file and reports it', async () => {
  const from = await openLibrary()
  const cats = await from.boards.create({ board_name: 'Cats', board_visibility: 'shared' })
  await upload(from, 'a.png', { boardId: cats.board_id, starred: true })
  await upload(from, 'b.jpg', { boardId: cats.board_id, starred: true })
  const folder = await emptyFolder()
  await exportInto(from, folder)
  await writeFile(join(folder, 'Cats/a.png.json'), '{"tessera_sidecar":1,"image_name":7')

  const to = await openLibrary()
  const done = await importFrom(to, folder)

  expect(done).toMatchObject({ taken_in: 2, refused: 1 })
  expect(done.refusals[0]?.path).toBe(join(folder, 'Cats/a.png.json'))
  expect(
    (await visibleContentOf(to)).images.map(({ file_name, board, starred }) => [
      file_name,
      board,
      starred,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['a.png', 'Cats', false],
      ['b.jpg', 'Cats', true],
    ]),
  )
})

test('ignores invalid and outside paths in the order file', async () => {
  const from = await openLibrary()
  await upload(from, 'a.png')
  const folder = await emptyFolder()
  await exportInto(from, folder)
  await appendFile(
    join(folder, 'tessera-export-order.txt'),
    '../../etc/passwd\n/etc/passwd\nAssets/a.png\n\n',
  )
  const manifest = join(folder, 'tessera-export.json')
  await writeFile(manifest, (await readFile(manifest, 'utf8')).slice(1))

  const to = await openLibrary()
  const done = await importFrom(to, folder)

  expect(done).toMatchObject({ taken_in: 1, refused: 1, refusals: [{ path: manifest }] })
})
