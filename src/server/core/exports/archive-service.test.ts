import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { DownloadOptions } from '#contract/downloads/download-operations.ts'
import type { ServerEvent } from '#contract/events.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { shareLibrary } from '#testing/library/open-library.ts'
import { readStoredZip } from '#testing/library/read-stored-zip.ts'
import { animatedAvif } from '#testing/library/small-files.ts'
import type { ArchiveContent } from './archive-service.ts'

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const getLibrary = shareLibrary()

const addBoard = async () => {
  const library = getLibrary()
  const board = await library.boards.create({
    board_name: 'Trip: Öland/2026!',
    board_visibility: 'shared',
  })
  const add = async (seed: number, fileName: string, boardId?: string) => {
    const { bytes } = await drawPicture({ seed, kind: 'a1111', widthPx: 32, heightPx: 32 })
    const { image } = await library.ingest.ingest({
      source: once(bytes),
      fileName,
      boardId,
      category: 'user',
    })
    return { imageName: image.image_name, bytes }
  }
  return { ...library, boardId: board.board_id, add }
}

const bytesOf = async (content: ArchiveContent['content']): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const unzip = async ({ content }: ArchiveContent): Promise<Map<string, Buffer>> =>
  readStoredZip(await bytesOf(content))

test('streams the files of a board under their uploaded names', async () => {
  const { archives, boardId, add } = await addBoard()
  const first = await add(1, 'beach.png', boardId)
  const second = await add(2, 'Beach.png', boardId)
  await add(3, 'elsewhere.png')

  const archive = await archives.create({ board_id: boardId })
  const content = await archives.open(archive.archive_id)

  expect(archive).toMatchObject({
    archive_url: `api/v1/images/archives/${archive.archive_id}`,
    file_name: 'Trip Öland2026 2026-01-01.zip',
    image_count: 2,
    total_bytes: first.bytes.length + second.bytes.length,
  })
  expect(content.fileName).toBe(archive.file_name)
  const files = await unzip(content)
  expect([...files.keys()].map((name) => name.toLowerCase()).toSorted()).toEqual([
    'beach (2).png',
    'beach.png',
  ])
  expect([...files.values()].some((bytes) => bytes.equals(first.bytes))).toBe(true)
})

test('names files by a pattern, in the time zone of the client', async () => {
  const { archives, clock, boardId, add } = await addBoard()
  clock.advance(23 * 3_600_000)
  const one = await add(1, 'one.png', boardId)
  const other = await add(2, 'two.png')

  const archive = await archives.create({
    image_names: [one.imageName, other.imageName],
    names: '{board}/{date}_{index}_{name}',
    time_zone: 'Asia/Tokyo',
  })
  const files = await unzip(await archives.open(archive.archive_id))

  expect([...files.keys()]).toEqual([
    'Trip_ Öland/2026!/2026-01-02_1_one.png',
    'Assets/2026-01-02_2_two.png',
  ])
})

test.each([
  ['invalid_request', { names: '{modle}' }],
  ['unknown_time_zone', { time_zone: 'Europe/Atlantis' }],
  ['invalid_request', { as_file: true }],
])('refuses %s before the download', async (code, options) => {
  const { archives } = await addBoard()

  await expect(archives.create({ board_id: 'none', ...options })).rejects.toMatchObject({ code })
})

test('converts images while they are sent', async () => {
  const { archives, boardId, add } = await addBoard()
  for (const seed of [1, 2, 3, 4, 5]) await add(seed, 'image.png', boardId)

  const { archive_id } = await archives.create({
    ...{ board_id: boardId, format: 'webp', quality: 50, longest_side: 16 },
  })
  const files = await unzip(await archives.open(archive_id))

  expect([...files.keys()]).toEqual([
    'image.webp',
    ...[2, 3, 4, 5].map((number) => `image (${number}).webp`),
  ])
  for (const bytes of files.values()) {
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 16, height: 16 })
  }
})

test('removes metadata, and lists the files where it cannot', async () => {
  const { archives, ingest, boardId, add } = await addBoard()
  const { bytes } = await add(1, 'image.png', boardId)
  await ingest.ingest({
    ...{ source: once(animatedAvif), fileName: 'moving.avif', boardId, category: 'user' as const },
  })

  const { archive_id } = await archives.create({ board_id: boardId, without_metadata: true })
  const files = await unzip(await archives.open(archive_id))

  expect([...files.keys()].toSorted()).toEqual(['Not included.txt', 'image.png'])
  expect(bytes.includes('parameters')).toBe(true)
  expect(files.get('image.png')?.includes('parameters')).toBe(false)
  expect(files.get('Not included.txt')?.toString()).toContain(
    'moving.avif: The metadata of this file cannot be removed.',
  )
})

test('sends a single image as a file', async () => {
  const { archives, add } = await addBoard()
  const { imageName, bytes } = await add(1, 'castle.png')
  const fileOf = async (options: DownloadOptions) => {
    const request = { image_names: [imageName], as_file: true, ...options }
    const archive = await archives.create(request)
    const { content, ...file } = await archives.open(archive.archive_id)
    expect(file.fileName).toBe(archive.file_name)
    return { ...file, bytes: await bytesOf(content) }
  }

  const stored = await fileOf({ names: '{board}/{name}_{width}' })
  const converted = await fileOf({ format: 'jpeg' })

  expect(stored).toEqual({ fileName: 'castle_32.png', mediaType: 'image/png', bytes })
  expect(converted).toMatchObject({ fileName: 'castle.jpg', mediaType: 'image/jpeg' })
  expect(await sharp(converted.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 32 })
})

test('leaves unknown names out of an archive', async () => {
  const { archives, add } = await addBoard()
  const { imageName } = await add(1, 'a.png')

  const archive = await archives.create({ image_names: [imageName, 'unknown.png'] })

  expect(archive).toMatchObject({ image_count: 1, file_name: 'Images 2026-01-01.zip' })
})

test('offers an archive for ten minutes', async () => {
  const { archives, clock } = await addBoard()
  const { archive_id } = await archives.create({ image_names: ['gone.png'] })

  clock.advance(10 * 60_000 - 1)
  await archives.open(archive_id)
  clock.advance(1)

  await expect(archives.open(archive_id)).rejects.toMatchObject({ code: 'archive_not_found' })
})

test('drops the oldest of more than a hundred waiting archives', async () => {
  const { archives } = await addBoard()
  const first = await archives.create({ board_id: 'none' })
  let last = first
  for (let count = 0; count < 100; count++) last = await archives.create({ board_id: 'none' })

  await expect(archives.open(first.archive_id)).rejects.toMatchObject({
    code: 'archive_not_found',
  })
  await archives.open(last.archive_id)
})

test('makes a bulk download in the background for one download', async () => {
  const { archives, boardId, add } = await addBoard()
  const { imageName, bytes } = await add(1, 'a.png', boardId)

  const { response, bulk_download_item_name: zipName } = await archives.startBulkDownload({
    board_id: boardId,
    image_names: ['unknown.png'],
  })
  let zip: ArchiveContent | null = null
  await expect
    .poll(async () => {
      zip ??= await archives.takeBulkDownload(zipName).catch(() => null)
      return zip
    })
    .not.toBeNull()

  expect(response).toBeNull()
  expect(zipName).toMatch(/^Trip Öland2026_[0-9a-f-]{36}\.zip$/)
  expect(await unzip(zip as unknown as ArchiveContent)).toEqual(
    new Map([[`user/${imageName}`, bytes]]),
  )
  await expect(archives.takeBulkDownload(zipName)).rejects.toMatchObject({
    code: 'archive_not_found',
  })
})

/** Collects the events from now on. `ended` resolves with the final one. */
const listenForDownload = () => {
  const received: ServerEvent[] = []
  const ended = new Promise<ServerEvent>((resolve) => {
    getLibrary().events.listen((event) => {
      received.push(event)
      if (event.event !== 'bulk_download_started') resolve(event)
    })
  })
  return { received, ended }
}

test('emits events when a bulk download starts and is ready', async () => {
  const { archives, boardId, add } = await addBoard()
  const { imageName } = await add(1, 'a.png', boardId)
  const { received, ended } = listenForDownload()

  const { bulk_download_item_name: zipName } = await archives.startBulkDownload({
    image_names: [imageName, imageName],
  })
  await ended

  const data = {
    timestamp: Math.floor(getLibrary().clock() / 1000),
    bulk_download_id: 'default',
    bulk_download_item_id: zipName.slice(0, -'.zip'.length),
    bulk_download_item_name: zipName,
    user_id: 'system',
  }
  expect(received).toEqual([
    { event: 'bulk_download_started', data },
    { event: 'bulk_download_complete', data },
  ])
  expect((await unzip(await archives.takeBulkDownload(zipName))).size).toBe(1)
})

test('fails a bulk download of names if one image does not exist', async () => {
  const { archives, boardId, add } = await addBoard()
  const { imageName } = await add(1, 'a.png', boardId)
  const { received, ended } = listenForDownload()

  const { bulk_download_item_name: zipName } = await archives.startBulkDownload({
    image_names: [imageName, 'unknown.png'],
  })

  expect(await ended).toMatchObject({
    event: 'bulk_download_error',
    data: { bulk_download_item_name: zipName, error: 'Image not found' },
  })
  expect(received).toHaveLength(2)
  await expect(archives.takeBulkDownload(zipName)).rejects.toMatchObject({
    code: 'archive_not_found',
  })
})

test.each([
  ['none', /^Uncategorized_[0-9a-f-]{36}\.zip$/],
  [null, /^[0-9a-f-]{36}\.zip$/],
])('names the zip of board %s like InvokeAI', async (board_id, name) => {
  const { archives } = await addBoard()

  const download = await archives.startBulkDownload({ board_id, image_names: ['gone.png'] })

  expect(download.bulk_download_item_name).toMatch(name)
})

test.each([
  ['nothing_to_download', {}],
  ['nothing_to_download', { image_names: [] }],
  ['nothing_to_download', { board_id: null, image_names: null }],
  ['board_not_found', { board_id: randomUUID() }],
  ['too_many_names', { image_names: Array<string>(50_001).fill('a') }],
])('refuses %s for both kinds of download', async (code, request) => {
  const { archives } = await addBoard()

  await expect(archives.create(request)).rejects.toMatchObject({ code })
  await expect(archives.startBulkDownload(request)).rejects.toMatchObject({ code })
})

test.each(['../tessera.db', randomUUID(), ''])('finds no download %j', async (name) => {
  const { archives } = await addBoard()

  await expect(archives.takeBulkDownload(name)).rejects.toMatchObject({
    code: 'archive_not_found',
  })
})
