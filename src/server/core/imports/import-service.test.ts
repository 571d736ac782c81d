import { createHash } from 'node:crypto'
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PictureKind } from '#demo/describe-picture.ts'
import { rereadAll } from '#server/core/upkeep/reread-batch.ts'
import { systemPath } from '#server/storage/disk/system-path.ts'
import { READER_VERSION } from '#server/storage/metadata/reader-version.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import {
  boardsOf,
  imagesOf,
  importToEnd,
  openImports,
  openTree,
} from '#testing/library/open-imports.ts'
import { reuseLibraries, shareLibrary } from '#testing/library/open-library.ts'
import { drawnBytes, writeTree } from '#testing/library/write-tree.ts'
import { listOf } from '#testing/ports/new-image.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const window = { offset: 0, limit: 10 }
const byArrival = { orderBy: 'created_at', orderDir: 'ASC', starredFirst: false } as const

const getSharedLibrary = shareLibrary()
const openLibrary = reuseLibraries()

const boardCounts = async (library: Parameters<typeof boardsOf>[0]) =>
  (await boardsOf(library)).map((board) => [board.board_name, board.image_count])

test('creates boards from folders and leaves other images uncategorized', async () => {
  const library = await openLibrary()
  const folder = await openTree({ 'a.png': null, 'Cats/b.jpg': null, 'Cats/Old/c.webp': null })

  const done = await importToEnd(openImports(library), { folder })

  expect(done).toMatchObject({ state: 'completed', found: 3, taken_in: 3, refused: 0 })
  expect(await boardCounts(library)).toEqual([
    ['Cats', 1],
    ['Cats/Old', 1],
  ])
})

test('imports to one board, reused later, or to none', async () => {
  const library = await openLibrary()
  const imports = openImports(library)
  const [one, two] = [await openTree({ 'x/a.png': null }), await openTree({ 'y/b.png': null })]

  await importToEnd(imports, { folder: one, boards: 'one', board_name: ' Old pictures ' })
  await importToEnd(imports, { folder: two, boards: 'one', board_name: 'Old pictures' })
  await importToEnd(imports, { folder: await openTree({ 'z/c.png': null }), boards: 'none' })

  expect(await boardCounts(library)).toEqual([['Old pictures', 2]])
})

test('recognizes every known file and adds only new ones', async () => {
  const library = await openLibrary()
  const folder = await openTree({ 'a.png': null, 'b/c.png': null })
  const imports = openImports(library)
  await importToEnd(imports, { folder })
  await writeTree(folder, { 'd.png': null })

  const again = await importToEnd(imports, { folder })

  expect(again).toMatchObject({ state: 'completed', taken_in: 1, known: 2 })
})

test('does not read unchanged files again', async () => {
  const library = await openLibrary()
  const folder = await openTree({ 'a.png': null, 'b.png': null })
  await importToEnd(openImports(library), { folder })
  const read: string[] = []
  const intake = {
    ...library.intake,
    takeIn: (path: string, options: { maxBytes: number; link: boolean }) => {
      read.push(path)
      return library.intake.takeIn(path, options)
    },
  }
  await writeTree(folder, { 'b.png': await drawnBytes('other.png') })

  await importToEnd(openImports(library, { intake }), { folder })

  expect(read).toEqual([join(folder, 'b.png')])
})

test('imports equal bytes once, under the first name', async () => {
  const library = await openLibrary()
  const bytes = await drawnBytes('same.png')
  const folder = await openTree({ 'b/2.png': bytes, 'a/1.png': bytes, 'b/3.png': bytes })

  const done = await importToEnd(openImports(library), { folder })

  expect(done).toMatchObject({ taken_in: 1, known: 2 })
  expect(await imagesOf(library)).toMatchObject([{ fileName: '1.png', board: 'a' }])
})

test('leaves images in the trash', async () => {
  const library = await openLibrary()
  const folder = await openTree({ 'a.png': null })
  await importToEnd(openImports(library), { folder })
  const { image_names } = await library.images.names({
    orderBy: 'created_at',
    orderDir: 'ASC',
    starredFirst: false,
  })
  await library.trash.trashImages(await listOf(image_names))

  const renamed = await openTree({ 'renamed.png': await drawnBytes('a.png') })
  const again = await importToEnd(openImports(library), { folder: renamed })

  expect(again).toMatchObject({ taken_in: 0, known: 1 })
  expect(await imagesOf(library)).toEqual([])
})

test('imports in order of folders and names, and keeps name, date and bytes', async () => {
  const library = await openLibrary()
  const folder = await openTree({ 'b.png': null, 'a.png': null, '10/z.png': null, '9/y.png': null })

  await importToEnd(openImports(library), { folder })

  const names = (await imagesOf(library)).map(({ fileName }) => fileName)
  expect(names).toEqual(['a.png', 'b.png', 'z.png', 'y.png'])
})

test('lists refused files with a reason and imports the rest', async () => {
  const library = await openLibrary()
  const whole = await drawnBytes('whole.png')
  const folder = await openTree({
    'cut.png': whole.subarray(0, whole.length / 2),
    'empty.png': '',
    'page.jpg': '<!doctype html>',
    'good.png': null,
    'large.png': new Uint8Array(300_000),
    'notes.txt': 'passed over',
  })

  const limits = { maxUploadBytes: 200_000 }
  const done = await importToEnd(openImports(library, { limits }), { folder })

  const refused = done.refusals.map(({ path, code }) => [path.slice(folder.length + 1), code])
  expect(refused).toEqual([
    ['cut.png', 'damaged_image'],
    ['empty.png', 'empty_file'],
    ['large.png', 'file_too_large'],
    ['page.jpg', 'not_an_image'],
  ])
  expect(done).toMatchObject({ state: 'completed', taken_in: 1, refused: 4, found: 5 })
  expect(await readdir(join(library.dataFolder, 'incoming'))).toEqual([])
})

test('imports videos as their bytes say, with their metadata, and refuses broken ones', async () => {
  const library = await openLibrary()
  const clip = await drawClip({ hasSound: true })
  const prompt = '{"3":{"class_type":"KSampler","inputs":{"seed":771,"steps":20}}}'
  const folder = await openTree({
    'a.png': null,
    'Clips/b.mp4': await drawClip({ texts: { prompt } }),
    'Clips/New/c.webm': await drawClip({ container: 'webm', codec: 'vp9' }),
    'cut.mp4': clip.subarray(0, clip.length / 2),
    'empty.mkv': '',
    'large.mov': clip,
    'page.mp4': '<!doctype html>',
    'wrong.png': await drawClip({ frames: 5 }),
  })

  const limits = { maxUploadBytes: 100_000, maxVideoBytes: clip.length - 1 }
  const imports = openImports(library, { limits })
  const done = await importToEnd(imports, { folder })
  const again = await importToEnd(openImports(library), { folder })

  const refused = done.refusals.map(({ path, code }) => [path.slice(folder.length + 1), code])
  expect(refused).toEqual([
    ['cut.mp4', 'damaged_video'],
    ['empty.mkv', 'empty_file'],
    ['large.mov', 'file_too_large'],
    ['page.mp4', 'not_an_image'],
  ])
  expect(done).toMatchObject({ taken_in: 4, videos: 3 })
  expect(again).toMatchObject({ taken_in: 1, known: 4 })
  const videos = await library.images.page({ ...byArrival, kind: 'video' }, window)
  expect(videos?.items.map(({ file_name }) => file_name)).toContain('wrong.png')
  const b = videos?.items.find(({ file_name }) => file_name === 'b.mp4')
  expect(await library.images.metadata(b?.image_name ?? '')).toMatchObject({
    normal: { generator: 'comfyui', raw: { prompt } },
  })
  expect(await boardCounts(library)).toEqual([
    ['Clips', 0],
    ['Clips/New', 0],
  ])
})

test('lists all refusals until three other imports have ended @long', async () => {
  const imports = openImports(await openLibrary())
  const empty = Array.from({ length: 1_100 }, (_, at) => [`${at}.png`, ''])
  const { import_id } = await importToEnd(imports, {
    folder: await openTree(Object.fromEntries(empty)),
  })
  const window = { offset: 1_000, limit: 1_000 }
  const whole = imports.refusals(import_id, window)
  expect(imports.get(import_id).refusals).toHaveLength(1_000)

  for (let after = 0; after < 4; after++) await importToEnd(imports, { folder: await openTree({}) })

  expect([whole.total, whole.items.length]).toEqual([1_100, 100])
  expect(imports.refusals(import_id, window)).toEqual({ ...window, total: 1_000, items: [] })
})

test('lists the added images with their boards until three other imports have ended', async () => {
  const library = await openLibrary()
  const imports = openImports(library)
  const folder = await openTree({ 'a.png': null, 'known.png': null, 'Trip/b.png': null })
  await importToEnd(imports, { folder: await openTree({ 'known.png': null }) })
  const { import_id } = await importToEnd(imports, { folder, boards: 'folders' })

  const { items, total } = imports.added(import_id, { offset: 0, limit: 10 })
  const rest = imports.added(import_id, { offset: 1, limit: 10 })
  for (let after = 0; after < 4; after++) await importToEnd(imports, { folder: await openTree({}) })

  const names = items.map(({ image_name }) => library.images.get(image_name))
  expect(await Promise.all(names)).toMatchObject([
    { file_name: 'a.png', board_id: null },
    { file_name: 'b.png', board_id: items[1]?.board_id },
  ])
  expect(items[1]?.board_id).not.toBeNull()
  expect([total, rest.items]).toEqual([2, items.slice(1)])
  expect(imports.added(import_id, { offset: 0, limit: 10 }).total).toBe(0)
})

test('leaves the originals unchanged, with or without links', async () => {
  const library = await openLibrary()
  const folder = await openTree({ 'a.png': null, 'b.png': null })
  const before = await stat(join(folder, 'a.png'))

  const done = await importToEnd(openImports(library), { folder, link: true })

  const after = await stat(join(folder, 'a.png'))
  expect(done).toMatchObject({ taken_in: 2, linked: 2 })
  expect(after).toMatchObject({ mode: before.mode, mtimeMs: before.mtimeMs, nlink: 2 })
  expect(await readFile(join(folder, 'a.png'))).toEqual(Buffer.from(await drawnBytes('a.png')))
})

test('reports a dry run file by file and changes nothing', async () => {
  const library = await openLibrary()
  const bytes = await drawnBytes('a.png')
  const folder = await openTree({
    'x/a.png': bytes,
    'x/b.png': null,
    'y/a.png': bytes,
    'c.png': '',
    'cut.png': bytes.subarray(0, bytes.length / 2),
    'page.jpg': '<!doctype html>',
  })
  await writeFile(systemPath(join(folder, 'd\udcff.png')), await drawnBytes('d.png'))
  await writeFile(systemPath(join(folder, 'e\udcff.png')), bytes.subarray(0, bytes.length / 2))

  const done = await importToEnd(openImports(library), { folder, dry_run: true })

  expect(done).toMatchObject({ state: 'completed', taken_in: 3, known: 1, refused: 4 })
  expect([await imagesOf(library), await boardsOf(library)]).toEqual([[], []])
  expect(await readdir(join(library.dataFolder, 'incoming'))).toEqual([])
  const { taken_in, known, refusals } = await importToEnd(openImports(library), { folder })
  expect(done).toMatchObject({ taken_in, known, refusals })
})

test.each([
  [{ folder: '/no/such/folder' }, 'folder_not_found'],
  [{ folder: 'relative' }, 'folder_not_found'],
  [{ folder: import.meta.filename }, 'folder_not_found'],
  [{ folder: import.meta.dirname, boards: 'one' as const }, 'invalid_import'],
  [{ folder: import.meta.dirname, watch: true, dry_run: true }, 'invalid_import'],
])('refuses %j at once', async (request, code) => {
  const imports = openImports(getSharedLibrary())

  await expect(imports.start(request)).rejects.toMatchObject({ code })
  expect(imports.list()).toEqual([])
})

test('refuses its own library and skips it inside a source', async () => {
  const library = await openLibrary()
  const imports = openImports(library)
  await importToEnd(imports, { folder: await openTree({ 'a.png': null }) })

  const inside = imports.start({ folder: join(library.dataFolder, 'images') })
  await expect(inside).rejects.toMatchObject({ code: 'folder_is_library' })
})

test('reads prompts and workflows and keeps the files unchanged', async () => {
  const library = await openLibrary()
  const draw = async (fileName: string, kind: PictureKind) =>
    (await drawFile(fileName, { kind })).bytes()
  const files = {
    'ComfyUI/output/ComfyUI_00001_.png': await draw('comfy.png', 'comfyui'),
    'txt2img-images/2026-11-22/00000-1.png': await draw('a1111.png', 'a1111'),
    'txt2img-images/2026-11-22/00001-2.jpg': await draw('a1111.jpg', 'a1111-jpeg'),
  }

  await importToEnd(openImports(library), { folder: await openTree(files) })

  const images = await imagesOf(library)
  expect(images.map(({ hash }) => hash)).toEqual(Object.values(files).map(sha256))
  for (const { imageName } of images) {
    expect((await library.images.metadata(imageName))?.normal?.prompt).toMatch(/\w/)
  }
  const [comfy] = images
  const texts = await library.images.metadata(comfy?.imageName ?? '')
  expect(texts?.workflow).toContain('nodes')
})

test('reads the text files beside images, keeps them when it reads again, and leaves all others', async () => {
  const library = await openLibrary()
  const parameters = 'a fox\nSteps: 20, Seed: 5'
  const folder = await openTree({
    'plain/fox.jpg': null,
    'plain/fox.txt': parameters,
    'plain/notes.txt': parameters,
    'plain/huge.webp': null,
    'plain/huge.txt': `${parameters}, Note: ${'x'.repeat(600_000)}`,
    'plain/linked.webp': null,
  })
  await symlink(join(folder, 'plain/fox.txt'), join(folder, 'plain/linked.txt'))

  const done = await importToEnd(openImports(library), { folder })

  expect(done).toMatchObject({ taken_in: 3, refused: 0 })
  const prompts = async () => {
    const names = await imagesOf(library)
    const all = names.map(async ({ imageName, fileName }) => [
      fileName,
      (await library.images.metadata(imageName))?.normal?.prompt ?? null,
    ])
    return Object.fromEntries(await Promise.all(all))
  }
  const expected = { 'fox.jpg': 'a fox', 'huge.webp': null, 'linked.webp': null }
  expect(await prompts()).toEqual(expected)
  await rereadAll(
    { ...library, readerVersion: READER_VERSION + 1 },
    { signal: new AbortController().signal, onProgress: () => {} },
  )
  expect(await prompts()).toEqual(expected)
})
