import { appendFile, copyFile, cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { drawFile } from '#testing/library/draw-file.ts'
import { exportInto, importFrom, visibleContentOf } from '#testing/library/export-and-import.ts'
import { reuseLibraries, shareLibrary } from '#testing/library/open-library.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const getLibrary = shareLibrary()
const openLibrary = reuseLibraries()
let exported: string

beforeAll(async () => {
  const library = getLibrary()
  const cats = await library.boards.create({ board_name: 'Cats', board_visibility: 'shared' })
  await library.boards.create({ board_name: 'Dogs', board_visibility: 'shared' })
  for (const fileName of ['a.tiff', 'b.png']) {
    // Decoders ignore bytes after the end of an image, so a test can change this byte without breaking the image.
    const source = new Blob([await drawFile(fileName), 'x']).stream()
    const options = {
      boardId: cats.board_id,
      starred: fileName === 'a.tiff',
      metadata: '{"seed":1}',
    }
    await library.ingest.ingest({ source, category: 'user', fileName, ...options })
  }
  exported = await createTemporaryFolder()
  await exportInto(library, exported)
})

afterAll(() => removeFolder(exported))

/** Copies an export with two boards: Cats with the starred a.tiff and with b.png, and Dogs, which is empty. */
const makeExport = async () => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  await cp(exported, folder, { recursive: true, preserveTimestamps: true })
  return folder
}

/** Imports the folder into a new library. Returns its images by file name, and the refusals with their paths. */
const importEdited = async (folder: string) => {
  const library = await openLibrary()
  const { refusals, taken_in, state } = await importFrom(library, folder)
  const { boards, images } = await visibleContentOf(library)
  expect([state, images.length]).toEqual(['completed', taken_in])
  return {
    faults: refusals.map(({ path, reason }) => `${path.slice(folder.length + 1)}: ${reason}`),
    positions: Object.fromEntries(boards.map(({ board_name, position }) => [board_name, position])),
    images: Object.fromEntries(
      images.map(({ file_name, board, starred }) => [file_name, { board, starred }]),
    ),
  }
}

const untouched = { 'b.png': { board: 'Cats', starred: false } }
const plain = { board: 'Cats', starred: false }

test.each([
  ['the name of another board', { board_name: 'Dogs' }, { board: 'Dogs', starred: true }],
  ['the name of a new board', { board_name: 'Birds' }, { board: 'Birds', starred: true }],
  ['no board', { board_name: null }, { board: null, starred: true }],
  ['no star', { starred: false }, plain],
  ['a poster, which only a video has', { poster_ms: 5 }, { board: 'Cats', starred: true }],
  ['metadata that is not JSON', { metadata: '{oops' }, { board: 'Cats', starred: true }],
])('imports an edited sidecar: %s', async (_, changes, image) => {
  const folder = await makeExport()
  await changeSidecar(folder, changes)

  const { faults, images } = await importEdited(folder)

  expect(images).toEqual({ ...untouched, 'a.tiff': image })
  expect(faults).toEqual([])
})

test.each([
  ['metadata', { metadata: { seed: 2 } }],
  ['starred', { starred: 'yes' }],
  ['poster_ms', { poster_ms: -1 }],
  ['created_at', { created_at: '2026-99-99T00:00:00.000Z' }],
  ['taken_at', { taken_at: '2026-13-01T00:00:00.000Z' }],
])(
  'reports %s of the wrong type and imports the image as a plain file',
  async (member, changes) => {
    const folder = await makeExport()
    await changeSidecar(folder, changes)

    const { faults, images } = await importEdited(folder)

    expect(images).toEqual({ ...untouched, 'a.tiff': plain })
    expect(faults).toEqual([expect.stringMatching(`^Cats/a.tiff.json: Its “${member}” is not`)])
  },
)

const changeSidecar = async (folder: string, changes: object) => {
  const path = join(folder, 'Cats/a.tiff.json')
  const sidecar: object = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...sidecar, ...changes }))
}

test('imports a replaced image as a plain file, regardless of its size', async () => {
  const folder = await makeExport()
  const image = join(folder, 'Cats/a.tiff')
  const bytes = await readFile(image)

  await writeFile(image, bytes.fill('y', bytes.length - 1))
  const asLong = await importEdited(folder)
  await appendFile(image, 'z')
  const longer = await importEdited(folder)

  expect(asLong.images).toEqual({ ...untouched, 'a.tiff': plain })
  expect(longer.images).toEqual(asLong.images)
  expect(longer.faults).toEqual([expect.stringMatching('^Cats/a.tiff.json: Its image is not')])
  expect(asLong.faults).toEqual([
    expect.stringMatching('^Cats/a.tiff: It does not match its record'),
  ])
})

test('refuses a damaged image and imports one without a sidecar as a plain file', async () => {
  const folder = await makeExport()
  await writeFile(join(folder, 'Cats/a.tiff'), 'no picture')
  await rm(join(folder, 'Cats/b.png.json'))

  const { faults, images } = await importEdited(folder)

  expect(images).toEqual(untouched)
  expect(faults).toEqual([
    expect.stringMatching('^Cats/a.tiff.json: Its image is not'),
    expect.stringMatching('^Cats/a.tiff: Not an image'),
  ])
})

test('skips the sidecar of a deleted image', async () => {
  const folder = await makeExport()
  await rm(join(folder, 'Cats/a.tiff'))

  const { faults, images } = await importEdited(folder)

  expect(faults).toEqual([])
  expect(images).toEqual(untouched)
})

test('imports copied, renamed and new images', async () => {
  const folder = await makeExport()
  const place = (path: string) => join(folder, path)
  await cp(place('Cats'), place('Copies'), { recursive: true })
  await rename(place('Cats/a.tiff'), place('Cats/renamed.tiff'))
  await copyFile(place('Cats/b.png'), place('Dogs-b.png'))
  await writeFile(place('Dogs.png'), await (await drawFile('dog.png')).bytes())
  await appendFile(place('tessera-export-order.txt'), 'Dogs.png\n')

  const { faults, images } = await importEdited(folder)

  expect(faults).toEqual([])
  expect(images).toEqual({
    ...untouched,
    'a.tiff': { board: 'Cats', starred: true },
    'renamed.tiff': plain,
    'Dogs.png': { board: null, starred: false },
  })
})

test('reports a manifest with an invalid date and imports all images', async () => {
  const folder = await makeExport()
  const path = join(folder, 'tessera-export.json')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace(/"created_at": "\d{4}-\d\d/, '"created_at": "2026-77'))

  const { faults, images } = await importEdited(folder)

  expect(images).toEqual({ ...untouched, 'a.tiff': { board: 'Cats', starred: true } })
  expect(faults).toEqual([expect.stringMatching('^tessera-export.json: The list of boards')])
})

test('imports the order by hand and ignores invalid keys', async () => {
  const folder = await makeExport()
  const path = join(folder, 'tessera-export.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  const [cats, dogs] = manifest.boards
  cats.position = 'a1'
  dogs.position = 'not a key'
  await writeFile(path, JSON.stringify(manifest))

  const { faults, positions } = await importEdited(folder)

  expect(positions).toEqual({ Cats: 'a1', Dogs: null })
  expect(faults).toEqual([])
})
