import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { safeFileName } from '#contract/downloads/safe-file-name.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { exportInto } from '#testing/library/export-and-import.ts'
import { reuseLibraries, shareLibrary } from '#testing/library/open-library.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openExportFolder } from './open-export-folder.ts'

const emptyFolder = async () => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

type Library = ReturnType<typeof shared>
const shared = shareLibrary()
const openLibrary = reuseLibraries()

const upload = async ({ ingest }: Library, fileName: string, boardId?: string) => {
  const source = (await drawFile('a.png')).stream()
  return (await ingest.ingest({ source, category: 'user', fileName, boardId })).image
}

/** Returns the content of every file below a folder, by path. */
const contentsOf = async (folder: string): Promise<Record<string, string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name)
    return [path.slice(folder.length + 1), await readFile(path, 'base64')] as const
  })
  return Object.fromEntries((await Promise.all(read)).sort())
}

test('continues an interrupted export, with the same final result', async () => {
  const library = await openLibrary()
  const board = await library.boards.create({ board_name: 'B', board_visibility: 'shared' })
  for (let at = 0; at < 9; at++)
    await upload(library, 'same.png', at % 2 ? board.board_id : undefined)
  const [whole, cut] = [await emptyFolder(), await emptyFolder()]
  await exportInto(library, whole)

  let asked = 0
  const stop = new AbortController()
  const counting = {
    ...library,
    files: {
      ...library.files,
      local: (imageName: string) => {
        if (++asked === 4) stop.abort()
        return library.files.local(imageName)
      },
    },
  }
  const first = await exportInto(counting, cut, { signal: stop.signal })
  expect(first.copied).toBeLessThan(9)
  // The state after a crash.
  await mkdir(join(cut, '.tessera-export'))
  await writeFile(join(cut, '.tessera-export', 'half'), 'half a pict')
  await rm(join(cut, 'Assets', 'same.png'))
  const second = await exportInto(library, cut)

  expect(first.copied + second.copied).toBe(10)
  expect(await contentsOf(cut)).toEqual(await contentsOf(whole))
})

test('copies no file in a second export, and rewrites only changed sidecars', async () => {
  const library = await openLibrary()
  const image = await upload(library, 'a.png')
  await upload(library, 'b.png')
  const folder = await emptyFolder()
  await exportInto(library, folder)
  await library.images.setStarred([image.image_name], true)
  const before = (await stat(join(folder, 'Assets/b.png.json'))).ino

  expect(await exportInto(library, folder)).toMatchObject({ copied: 0, known: 2 })

  const sidecar = JSON.parse(await readFile(join(folder, 'Assets/a.png.json'), 'utf8'))
  expect(sidecar).toMatchObject({ image_name: image.image_name, starred: true })
  expect((await stat(join(folder, 'Assets/b.png.json'))).ino).toBe(before)
})

test('does not overwrite foreign files', async () => {
  const library = await openLibrary()
  const image = await upload(library, 'a.png')
  const folder = await emptyFolder()
  await exportInto(library, folder, { boards: [] })
  await mkdir(join(folder, 'Assets'))
  await writeFile(join(folder, 'Assets/a.png'), 'mine')

  expect(await exportInto(library, folder)).toMatchObject({ copied: 1, failed: 0 })

  expect(await readFile(join(folder, 'Assets/a.png'), 'utf8')).toBe('mine')
  const end = image.image_name.split('.')[0]?.slice(-8)
  expect((await readdir(join(folder, 'Assets'))).sort()).toEqual(
    ['a.png', `a (${end}).png`, `a (${end}).png.json`].sort(),
  )
})

test('makes hard links to the files of the library', async () => {
  const library = await openLibrary()
  const image = await upload(library, 'a.png')
  const folder = await emptyFolder()

  expect(await exportInto(library, folder, { link: true })).toMatchObject({ linked: 1, copied: 0 })

  const { ino } = await stat(library.pathOf(image.image_name))
  expect((await stat(join(folder, 'Assets/a.png'))).ino).toBe(ino)
})

test('exports only the requested boards, and adds others later', async () => {
  const library = await openLibrary()
  const cats = await library.boards.create({ board_name: 'Cats', board_visibility: 'shared' })
  await upload(library, 'a.png', cats.board_id)
  await upload(library, 'b.png')
  const folder = await emptyFolder()

  expect(await exportInto(library, folder, { boards: ['Cats'] })).toMatchObject({
    found: 1,
    copied: 1,
  })
  expect(await exportInto(library, folder, { boards: ['Assets'] })).toMatchObject({
    found: 1,
    copied: 1,
  })

  const manifest = JSON.parse(await readFile(join(folder, 'tessera-export.json'), 'utf8'))
  expect(manifest.boards).toMatchObject([{ board_name: 'Cats', folder: 'Cats' }])
  await expect(exportInto(library, folder, { boards: ['Dogs'] })).rejects.toThrow('no board “Dogs”')
})

test('makes every name portable and unique', async () => {
  const library = await openLibrary()
  const hostile = [
    '..',
    '../..',
    '/',
    'CON',
    'con',
    'a:b',
    'a?b',
    'Assets',
    'A/./B',
    'x.',
    '🐈'.repeat(75),
  ]
  const names = ['a.png', 'A.png', 'aux.png', `${'日'.repeat(200)}.png`, 'x.json', 'a.png.json']
  for (const board_name of hostile) {
    const board = await library.boards.create({ board_name, board_visibility: 'shared' })
    const isCon = board_name.toLowerCase() === 'con'
    for (const name of isCon ? names : ['a.png', 'A.png'])
      await upload(library, name, board.board_id)
  }
  const folder = await emptyFolder()

  expect(await exportInto(library, folder)).toMatchObject({ copied: 30, failed: 0 })

  const paths = Object.keys(await contentsOf(folder))
  expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(paths.length)
  expect(paths).toHaveLength(30 * 2 + 2)
  for (const part of paths.flatMap((path) => path.split('/'))) {
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255)
    expect(part).toBe(part.replaceAll(/[<>:"\\|?*\p{Cc}]|[. ]$/gu, '').replace(/^\.\.?$/, ''))
    expect(safeFileName(part.split('.')[0] ?? '')).toBe(part.split('.')[0])
  }
})

test('reports a file that is missing in the library, and leaves no partial file', async () => {
  const library = await openLibrary()
  const image = await upload(library, 'a.png')
  await rm(library.pathOf(image.image_name))
  const folder = await emptyFolder()

  expect(await exportInto(library, folder)).toMatchObject({
    failed: 1,
    failures: [{ imageName: image.image_name, reason: 'Its file is not in the library any more.' }],
  })
  expect(Object.keys(await contentsOf(folder)).sort()).toEqual([
    'tessera-export-order.txt',
    'tessera-export.json',
  ])
})

test('reports a damaged file and does not export it', async () => {
  const library = await openLibrary()
  const image = await upload(library, 'a.png')
  await writeFile(library.pathOf(image.image_name), 'not an image')
  const folder = await emptyFolder()

  expect(await exportInto(library, folder)).toMatchObject({
    failed: 1,
    failures: [{ imageName: image.image_name, reason: 'The file is damaged.' }],
  })
})

test.each([
  ['a folder with other files', async (folder: string) => writeFile(join(folder, 'x'), '')],
  [
    'a file',
    async (folder: string) => rm(folder, { recursive: true }).then(() => writeFile(folder, '')),
  ],
])('refuses %s and leaves it unchanged', async (_, prepare) => {
  const folder = join(await emptyFolder(), 'out')
  await mkdir(folder)
  await prepare(folder)
  const { dataFolder, files } = shared()

  await expect(openExportFolder(folder, { dataFolder, files })).rejects.toMatchObject({
    name: 'TargetFolderError',
  })
})

test('creates no folder in the library, whatever path leads there', async () => {
  const { dataFolder, files } = shared()
  const elsewhere = await emptyFolder()
  await symlink(dataFolder, join(elsewhere, 'way-in'))
  const before = await readdir(dataFolder)

  for (const folder of [dataFolder, join(dataFolder, 'a/b'), join(elsewhere, 'way-in/out')]) {
    await expect(openExportFolder(folder, { dataFolder, files })).rejects.toThrow(
      'is in the data folder',
    )
  }
  expect(await readdir(dataFolder)).toEqual(before)
})
