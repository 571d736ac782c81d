import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { parseNamePattern } from '#contract/downloads/name-pattern.ts'
import type { PictureKind } from '#demo/describe-picture.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { exportConverted, exportInto, importFrom } from '#testing/library/export-and-import.ts'
import { type Library, reuseLibraries } from '#testing/library/open-library.ts'
import { animatedAvif } from '#testing/library/small-files.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const openLibrary = reuseLibraries()

const emptyFolder = async () => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Adds an image with 96 x 64 pixels, or a file with the given bytes. */
const add = async (
  { ingest }: Library,
  fileName: string,
  { kind, bytes, boardId }: { kind?: PictureKind; bytes?: Uint8Array; boardId?: string } = {},
) => {
  const content = bytes ?? (await (await drawFile(fileName, kind ? { kind } : {})).bytes())
  const itemKind = fileName.endsWith('.mp4') ? 'video' : 'image'
  const upload = { fileName, boardId, category: 'user', kind: itemKind } as const
  return (await ingest.ingest({ ...upload, source: once(content) })).image
}

/** Returns the paths of all files below a folder except the manifest and the list. */
const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('tessera-converted'))
    .toSorted()
}

test.each([
  ['jpeg', 'jpg', 'jpeg'],
  ['webp', 'webp', 'webp'],
  ['avif', 'avif', 'heif'],
  ['png', 'png', 'png'],
] as const)(
  'writes images as %s, reduced, in the folders of their boards',
  async (format, extension, decoded) => {
    const library = await openLibrary()
    const board = await library.boards.create({ board_name: 'A/B', board_visibility: 'shared' })
    await add(library, 'castle.png', { boardId: board.board_id })
    await add(library, 'photo.jpg', { kind: 'photo' })
    const folder = await emptyFolder()

    const done = await exportConverted(library, folder, { format, longestSidePx: 48 })

    expect(done).toMatchObject({ found: 2, written: 2, known: 0, failed: { count: 0 } })
    expect(await filesIn(folder)).toEqual([`A/B/castle.${extension}`, `Assets/photo.${extension}`])
    expect(await sharp(join(folder, `A/B/castle.${extension}`)).metadata()).toMatchObject({
      ...{ format: decoded, width: 48, height: 32 },
    })
  },
)

test('gives equal names a part of the id, and files the names of a pattern', async () => {
  const library = await openLibrary()
  await add(library, 'castle.png')
  const { image_name } = await add(library, 'castle.webp')
  const [plain, named] = [await emptyFolder(), await emptyFolder()]
  const { pattern } = parseNamePattern('{width}/{name}.jpg')

  await exportConverted(library, plain, { format: 'jpeg' })
  await exportConverted(
    library,
    named,
    { format: 'jpeg' },
    { names: pattern && { pattern, timeZone: 'UTC' } },
  )

  const id = image_name.split('.')[0]?.slice(-8)
  expect(await filesIn(plain)).toEqual([`Assets/castle (${id}).jpg`, 'Assets/castle.jpg'])
  expect(await filesIn(named)).toEqual([`96/castle (${id}).jpg`, '96/castle.jpg'])
})

test('removes metadata, and names what is left out and what keeps its format', async () => {
  const library = await openLibrary()
  await add(library, 'castle.png')
  await add(library, 'loop.gif', { kind: 'animated-gif' })
  await add(library, 'moving.avif', { bytes: animatedAvif })
  await add(library, 'clip.mp4', { bytes: await drawClip() })
  const folder = await emptyFolder()

  const done = await exportConverted(library, folder, { format: 'jpeg', withoutMetadata: true })

  expect(await filesIn(folder)).toEqual(['Assets/castle.jpg', 'Assets/loop.gif'])
  expect(done).toMatchObject({ written: 2, failed: { count: 0 } })
  expect(done.unconverted).toEqual({
    count: 1,
    first: [{ name: 'loop.gif', reason: 'It is animated.' }],
  })
  expect(done.leftOut.first).toEqual(
    expect.arrayContaining([
      { name: 'moving.avif', reason: 'The metadata of this file cannot be removed.' },
      { name: 'clip.mp4', reason: 'The metadata of a video cannot be removed.' },
    ]),
  )
  const decoded = await library.codec.decode(join(folder, 'Assets/castle.jpg'))
  expect(decoded.metadata).toEqual({ invokeai: null, normal: null, workflow: null, graph: null })
})

test('copies videos and animated images unchanged, and says so', async () => {
  const library = await openLibrary()
  const clip = await drawClip()
  await add(library, 'clip.mp4', { bytes: clip })
  await add(library, 'loop.gif', { kind: 'animated-gif' })
  const folder = await emptyFolder()

  const done = await exportConverted(library, folder, { format: 'webp' })

  expect(done).toMatchObject({ written: 2, unconverted: { count: 2 } })
  expect(done.unconverted.first).toContainEqual({ name: 'clip.mp4', reason: 'It is a video.' })
  expect(clip.equals(await readFile(join(folder, 'Assets/clip.mp4')))).toBe(true)
})

test('continues after a stop and a crash, and converts no file twice', async () => {
  const library = await openLibrary()
  for (let at = 0; at < 7; at++) await add(library, at % 2 ? 'same.png' : 'same.webp')
  await add(library, 'scan.tiff')
  const [whole, cut] = [await emptyFolder(), await emptyFolder()]
  const form = { longestSidePx: 48 }
  await exportConverted(library, whole, form)

  const stop = new AbortController()
  const converted: string[] = []
  const counting = {
    ...library,
    codec: {
      ...library.codec,
      convert: (...args: Parameters<Library['codec']['convert']>) => {
        converted.push(args[0])
        if (converted.length === 3) stop.abort()
        return library.codec.convert(...args)
      },
    },
  }
  const first = await exportConverted(counting, cut, form, { signal: stop.signal })
  // The state after a crash: a partial file, a lost file, and half a line.
  await mkdir(join(cut, '.tessera-export'))
  await writeFile(join(cut, '.tessera-export', 'half'), 'half a pict')
  await rm(join(cut, 'Assets/same.webp'))
  await appendFile(join(cut, 'tessera-converted-files.txt'), 'half a li')
  const second = await exportConverted(counting, cut, form)
  const third = await exportConverted(counting, cut, form)

  expect(first.written).toBeLessThan(8)
  expect(second).toMatchObject({ known: first.written - 1, failed: { count: 0 } })
  expect(third).toMatchObject({ written: 0, known: 8 })
  expect(converted).toHaveLength(9)
  expect(await filesIn(cut)).toEqual(await filesIn(whole))
})

test('does not overwrite foreign and edited files', async () => {
  const library = await openLibrary()
  await add(library, 'a.png')
  const folder = await emptyFolder()
  await exportConverted(library, folder, { format: 'jpeg' })
  await writeFile(join(folder, 'Assets/a.jpg'), 'mine')
  await add(library, 'b.png')
  await writeFile(join(folder, 'Assets/b.jpg'), 'mine too')

  expect(await exportConverted(library, folder, { format: 'jpeg' })).toMatchObject({ written: 2 })

  expect(await readFile(join(folder, 'Assets/a.jpg'), 'utf8')).toBe('mine')
  expect(await readFile(join(folder, 'Assets/b.jpg'), 'utf8')).toBe('mine too')
  expect(await filesIn(folder)).toHaveLength(4)
})

test('is imported as a folder of new images, and says so in its manifest', async () => {
  const from = await openLibrary()
  const board = await from.boards.create({ board_name: 'Trip', board_visibility: 'shared' })
  const image = await add(from, 'a.png', { boardId: board.board_id })
  await from.images.setRating([image.image_name], 4)
  const folder = await emptyFolder()
  await exportConverted(from, folder, { format: 'webp' })

  const to = await openLibrary()
  const imported = await importFrom(to, folder)

  expect(imported).toMatchObject({ source: 'folder', taken_in: 1, refused: 0 })
  expect(await to.images.get(image.image_name)).toBeNull()
  const manifest = JSON.parse(await readFile(join(folder, 'tessera-converted.json'), 'utf8'))
  expect(manifest.about).toBe(
    'These files are copies as WebP, with quality 80, not the originals. "tessera import" adds them as new images. To move or keep a library, export it without --format, --longest-side and --without-metadata.',
  )
})

test('keeps originals and converted files in different folders', async () => {
  const library = await openLibrary()
  await add(library, 'a.png')
  const [originals, converted] = [await emptyFolder(), await emptyFolder()]
  await exportInto(library, originals)
  await exportConverted(library, converted, { format: 'jpeg' })

  await expect(exportConverted(library, originals, { format: 'jpeg' })).rejects.toThrow(
    'is an export of the originals. Choose another folder for converted files.',
  )
  await expect(exportInto(library, converted)).rejects.toThrow(
    'has converted files. Choose another folder for an export of the originals.',
  )
  await expect(
    exportConverted(library, converted, { format: 'jpeg', quality: 50 }),
  ).rejects.toThrow(
    'has files as JPEG, with quality 80. Repeat these options, or choose another folder.',
  )
  expect(await filesIn(converted)).toEqual(['Assets/a.jpg'])
})

test('reports damaged and missing files, and leaves no partial file', async () => {
  const library = await openLibrary()
  const damaged = await add(library, 'damaged.png')
  const missing = await add(library, 'missing.png')
  await writeFile(library.pathOf(damaged.image_name), 'not an image')
  await rm(library.pathOf(missing.image_name))
  const folder = await emptyFolder()

  const done = await exportConverted(library, folder, { format: 'jpeg' })

  expect(done.failed.first.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'damaged.png', reason: 'The file is damaged.' },
    { name: 'missing.png', reason: 'The file is missing.' },
  ])
  expect(await filesIn(folder)).toEqual([])
  expect(await readdir(folder)).not.toContain('.tessera-export')
})

test('finds a file again if the image that had its name before is gone', async () => {
  const library = await openLibrary()
  const damaged = await add(library, 'cat.webp')
  await add(library, 'cat.png')
  await writeFile(library.pathOf(damaged.image_name), 'not an image')
  const folder = await emptyFolder()
  await exportConverted(library, folder, { format: 'jpeg' })
  const files = await filesIn(folder)
  await library.trash.trashImages([damaged.image_name])

  expect(await exportConverted(library, folder, { format: 'jpeg' })).toMatchObject({
    ...{ written: 0, known: 1 },
  })

  expect(files).toHaveLength(1)
  expect(await filesIn(folder)).toEqual(files)
})

test('stops when the disk is full, and continues later', async () => {
  const library = await openLibrary()
  await add(library, 'clip.mp4', { bytes: await drawClip() })
  const folder = await emptyFolder()
  const local = () =>
    Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
  const full = { ...library, files: { ...library.files, local } }

  await expect(exportConverted(full, folder, { format: 'png' })).rejects.toMatchObject({
    name: 'TargetFolderError',
    message: expect.stringContaining('run the same command again: it continues'),
  })
  expect(await readdir(folder)).not.toContain('.tessera-export')
  expect(await exportConverted(library, folder, { format: 'png' })).toMatchObject({
    ...{ written: 1, failed: { count: 0 } },
  })
})

test('writes ratings as XMP, and the date of the image, but not without metadata', async () => {
  const library = await openLibrary()
  const image = await add(library, 'a.png')
  await library.images.setRating([image.image_name], 4)
  const [dated, clean] = [await emptyFolder(), await emptyFolder()]

  await exportConverted(library, dated, { format: 'jpeg' }, { hasXmp: true })
  await exportConverted(library, clean, { withoutMetadata: true })

  expect(await filesIn(dated)).toEqual(['Assets/a.jpg', 'Assets/a.jpg.xmp'])
  const dateIn = async (path: string) => (await stat(path)).mtime.getFullYear()
  const now = new Date().getFullYear()
  expect(await dateIn(join(dated, 'Assets/a.jpg'))).toBe(new Date(library.clock()).getFullYear())
  expect(await dateIn(join(clean, 'Assets/a.png'))).toBe(now)
  const list = await readFile(join(clean, 'tessera-converted-files.txt'), 'utf8')
  expect(list).not.toContain(image.image_name.split('.')[0])
})
