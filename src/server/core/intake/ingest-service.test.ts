import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawPicture } from '#demo/draw-picture.ts'
import { type Library, shareLibrary } from '#testing/library/open-library.ts'
import { IngestService, type Upload } from './ingest-service.ts'

const getLibrary = shareLibrary({ maxUploadBytes: 100_000 })

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const png = (seed = 1) =>
  drawPicture({ seed, kind: 'invokeai', widthPx: 64, heightPx: 48 }).then(({ bytes }) => bytes)

const uploadOf = (bytes: Uint8Array, more: Partial<Upload> = {}): Upload => ({
  source: once(bytes),
  fileName: 'cat.png',
  category: 'user',
  ...more,
})

/** Lists all files of a library except the database. */
const filesOf = async ({ dataFolder }: Library): Promise<string[]> => {
  const files = await readdir(dataFolder, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && !file.name.startsWith('tessera.db'))
    .map((file) => join(file.parentPath, file.name))
}

/** Returns the current state, to compare it with a later one. */
const contentOf = async (library: Library) => ({
  files: (await filesOf(library)).toSorted(),
  names: await library.upkeep.allNames(null, 1000),
})

describe('an added image', () => {
  test('is stored byte for byte, with the extension of its actual format', async () => {
    const library = getLibrary()
    const { bytes } = await drawPicture({ seed: 2, kind: 'photo', widthPx: 60, heightPx: 90 })

    const { image, isRepeat } = await library.ingest.ingest(
      uploadOf(bytes, { fileName: 'lies.png' }),
    )

    expect(isRepeat).toBe(false)
    expect(image).toMatchObject({
      image_name: expect.stringMatching(/^[0-9a-f-]{36}\.jpg$/),
      width: 60,
      height: 90,
      file_name: 'lies.png',
      file_size: bytes.length,
      media_type: 'image/jpeg',
      content_hash: createHash('sha256').update(bytes).digest('hex'),
      image_category: 'user',
      image_origin: 'external',
      board_id: null,
      starred: false,
    })
    expect((await readFile(library.pathOf(image.image_name))).equals(bytes)).toBe(true)
  })

  test('has its thumbnail and metadata at once', async () => {
    const { ingest, thumbnails, images } = getLibrary()

    const { image } = await ingest.ingest(uploadOf(await png()))

    expect(await thumbnails.read(image.image_name, 384)).not.toBeNull()
    expect(image).toMatchObject({ has_workflow: true, thumbhash: expect.any(String) })
    expect(await images.metadata(image.image_name)).toMatchObject({
      normal: { generator: 'invokeai' },
    })
  })

  test('is on the requested board', async () => {
    const { ingest, boards } = getLibrary()
    const board = await boards.create({ board_name: 'Trip', board_visibility: 'shared' })

    const { image } = await ingest.ingest(uploadOf(await png(), { boardId: board.board_id }))

    expect(image.board_id).toBe(board.board_id)
    expect(await boards.get(board.board_id)).toMatchObject({ image_count: 1 })
  })

  test('is dated by its EXIF, otherwise by its sender', async () => {
    const { ingest } = getLibrary()
    const photo = await drawPicture({ seed: 2, kind: 'photo', widthPx: 60 })
    const takenAt = Date.UTC(2020, 1, 2)

    const dated = await ingest.ingest(uploadOf(photo.bytes, { takenAt }))
    const undated = await ingest.ingest(uploadOf(await png(), { takenAt }))

    const photoDate = new Date(photo.takenAt).toISOString()
    expect(dated.image.taken_at).toBe(photoDate.replace('T', ' ').replace('Z', ''))
    expect(undated.image.taken_at).toBe('2020-02-02 00:00:00.000')
  })

  test('stores the metadata part in its record and its bytes unchanged', async () => {
    const { ingest, images, pathOf } = getLibrary()
    const bytes = await png()

    const { image } = await ingest.ingest(uploadOf(bytes, { metadata: '{"positive_prompt":"x"}' }))

    expect((await images.metadata(image.image_name))?.invokeai).toBe('{"positive_prompt":"x"}')
    expect((await readFile(pathOf(image.image_name))).equals(bytes)).toBe(true)
  })

  test('is re-encoded only if its sender requests a size', async () => {
    const { ingest, images } = getLibrary()
    const { bytes } = await drawPicture({ seed: 2, kind: 'a1111', widthPx: 60, heightPx: 40 })

    const { image } = await ingest.ingest(
      uploadOf(bytes, { resizeTo: { width: 30, height: 10 }, cropVisible: true }),
    )

    expect(image).toMatchObject({ width: 30, height: 10, media_type: 'image/png' })
    expect(await images.metadata(image.image_name)).toMatchObject({
      normal: { generator: 'a1111' },
    })
  })
})

describe('a repeated upload', () => {
  test('returns the existing record and reads the bytes to the end', async () => {
    const library = getLibrary()
    const first = await library.ingest.ingest(uploadOf(await png(), { uploadId: 'u1' }))
    const before = await contentOf(library)
    let isRead = false
    async function* watched() {
      yield await png()
      isRead = true
    }

    const again = await library.ingest.ingest({
      ...uploadOf(await png(), { uploadId: 'u1' }),
      source: watched(),
    })

    expect(again).toEqual({ image: first.image, isRepeat: true })
    expect(isRead).toBe(true)
    expect(await contentOf(library)).toEqual(before)
  })

  test('is refused if the upload_id belongs to other bytes', async () => {
    const library = getLibrary()
    await library.ingest.ingest(uploadOf(await png(11), { uploadId: 'u3' }))
    const before = await contentOf(library)

    const other = library.ingest.ingest(uploadOf(await png(12), { uploadId: 'u3' }))

    await expect(other).rejects.toMatchObject({ code: 'upload_id_taken' })
    expect(await contentOf(library)).toEqual(before)
  })

  test('is refused for known bytes on request, otherwise stored again', async () => {
    const library = getLibrary()
    const board = await library.boards.create({ board_name: 'Cats', board_visibility: 'private' })
    await library.ingest.ingest(uploadOf(await png(7), { boardId: board.board_id }))
    const before = await contentOf(library)

    const again = library.ingest.ingest(uploadOf(await png(7), { knownBytes: 'refuse' }))

    await expect(again).rejects.toMatchObject({
      code: 'already_here',
      message: 'Already in Cats.',
    })
    expect(await contentOf(library)).toEqual(before)
    await library.ingest.ingest(uploadOf(await png(7)))
    expect((await contentOf(library)).names).toHaveLength(before.names.length + 1)
  })

  test('is stored once if it runs twice concurrently', async () => {
    const library = getLibrary()
    const bytes = await png()
    const before = await filesOf(library)

    const both = await Promise.all(
      [1, 2].map(() => library.ingest.ingest(uploadOf(bytes, { uploadId: 'u2' }))),
    )

    expect(both.map(({ isRepeat }) => isRepeat).toSorted()).toEqual([false, true])
    expect(new Set(both.map(({ image }) => image.image_name)).size).toBe(1)
    expect(await filesOf(library)).toHaveLength(before.length + 2)
  })
})

describe('a refused upload leaves no files', () => {
  const cutOff = async function* () {
    yield new Uint8Array(10)
    throw new Error('ECONNRESET')
  }

  test.each<[string, (bytes: Buffer) => Partial<Upload>]>([
    ['empty_file', () => ({ source: once(new Uint8Array(0)) })],
    ['not_an_image', () => ({ source: once(Buffer.from('<html></html>')) })],
    ['unsupported_format', () => ({ source: once(Buffer.from('<svg/>')) })],
    ['damaged_image', (bytes) => ({ source: once(bytes.subarray(0, bytes.length * 0.9)) })],
    ['file_too_large', () => ({ source: once(new Uint8Array(200_000)) })],
    ['upload_cut_off', () => ({ source: cutOff() })],
    ['damaged_image', (bytes) => ({ source: once(bytes.subarray(0, 900)), cropVisible: true })],
    ['invalid_resize', () => ({ resizeTo: { width: 0, height: 10 } })],
    ['invalid_resize', () => ({ resizeTo: { width: 1.5, height: 10 } })],
    ['invalid_resize', () => ({ resizeTo: { width: 20_000, height: 20_000 } })],
  ])('%s', async (code, change) => {
    const library = getLibrary()
    const bytes = await png()
    const before = await contentOf(library)

    await expect(
      library.ingest.ingest({ ...uploadOf(bytes), ...change(bytes) }),
    ).rejects.toMatchObject({ code })
    expect(await contentOf(library)).toEqual(before)
  })

  test.each(['none', '', 'nowhere'])('board %j, before a byte is read', async (boardId) => {
    const { ingest } = getLibrary()
    let isRead = false
    async function* watched() {
      isRead = true
      yield new Uint8Array(1)
    }

    await expect(
      ingest.ingest({ ...uploadOf(await png(), { boardId }), source: watched() }),
    ).rejects.toMatchObject({ code: 'board_not_found' })
    expect(isRead).toBe(false)
  })

  test('a board deleted during the upload', async () => {
    const library = getLibrary()
    const { board_id } = await library.boards.create({
      board_name: 'Gone',
      board_visibility: 'shared',
    })
    const before = await contentOf(library)
    async function* source() {
      yield await png()
      await library.boards.remove(board_id, { images: 'keep' })
    }

    await expect(
      library.ingest.ingest({ ...uploadOf(await png(), { boardId: board_id }), source: source() }),
    ).rejects.toMatchObject({ code: 'board_not_found' })
    expect(await contentOf(library)).toEqual(before)
  })

  test('a record that cannot be written', async () => {
    const library = getLibrary()
    const before = await contentOf(library)
    const ingest = new IngestService({
      ...library,
      images: { ...library.images, add: () => Promise.reject(new Error('SQLITE_IOERR')) },
      limits: { maxUploadBytes: 1e6 },
    })

    await expect(ingest.ingest(uploadOf(await png()))).rejects.toThrow('SQLITE_IOERR')
    expect(await contentOf(library)).toEqual(before)
  })
})

test('keeps the file of a written record if its result was lost', async () => {
  const library = getLibrary()
  const { images } = library
  let imageName = ''
  const ingest = new IngestService({
    ...library,
    images: {
      ...images,
      add: async (image) => {
        await images.add(image)
        imageName = image.image_name
        throw new Error('the worker went')
      },
    },
    limits: { maxUploadBytes: 1e6 },
  })

  await expect(ingest.ingest(uploadOf(await png()))).rejects.toThrow('the worker went')

  expect(await images.get(imageName)).not.toBeNull()
  expect((await readFile(library.pathOf(imageName))).length).toBeGreaterThan(0)
})

test('writes in an order that survives a power failure', async () => {
  const library = getLibrary()
  const steps: string[] = []
  const noting =
    <Args extends unknown[], Result>(step: string, method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await method(...args)
      steps.push(step)
      return result
    }
  const { files, codec, images } = library
  const ingest = new IngestService({
    ...library,
    files: {
      ...files,
      receive: noting('receive', files.receive),
      keep: noting('keep', files.keep),
    },
    codec: { ...codec, decode: noting('decode', codec.decode) },
    images: { ...images, add: noting('add', images.add) },
    limits: { maxUploadBytes: 1e6 },
  })

  await ingest.ingest(uploadOf(await png()))

  expect(steps).toEqual(['receive', 'decode', 'keep', 'add'])
})

test('adds many concurrent uploads under distinct names', async () => {
  const library = getLibrary()
  const before = await filesOf(library)
  const pictures = await Promise.all(Array.from({ length: 30 }, (_, seed) => png(seed)))

  const all = await Promise.all(pictures.map((bytes) => library.ingest.ingest(uploadOf(bytes))))

  expect(new Set(all.map(({ image }) => image.image_name)).size).toBe(30)
  expect(await filesOf(library)).toHaveLength(before.length + 60)
})

test('crops an image with empty alpha to its whole size', async () => {
  const { ingest } = getLibrary()
  const clear = sharp({ create: { width: 8, height: 8, channels: 4, background: '#0000' } })

  const { image } = await ingest.ingest(
    uploadOf(await clear.png().toBuffer(), { cropVisible: true }),
  )

  expect(image).toMatchObject({ width: 8, height: 8 })
})
