import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { itemUrls } from '#contract/videos/video-urls.ts'
import { tusRequests } from '#integration/tus-requests.ts'
import { type FaultyS3, startFaultyS3 } from '#testing/engines/faulty-s3.ts'
import { createDatabase, runOn } from '#testing/engines/postgres-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { keysOf } from '#testing/engines/s3-store.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { paddedClip } from '#testing/library/padded-clip.ts'
import { readStoredZip } from '#testing/library/read-stored-zip.ts'
import { writeTree } from '#testing/library/write-tree.ts'
import { runCommand } from '#testing/server/run-command.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { Bucket } from './bucket.ts'
import { parseFilesUrl } from './files-url.ts'

const s3Url = inject('s3Url')

let proxy: FaultyS3
let databaseUrl: string
let server: RunningServer
let bucket: Bucket
beforeAll(async () => {
  proxy = await startFaultyS3(s3Url)
  const files = emptyStore(proxy.url)
  bucket = new Bucket(parseFilesUrl(files))
  databaseUrl = await createDatabase(inject('postgresUrl'))
  server = await startServer({ databaseUrl, files })
})
afterAll(async () => {
  await server?.close()
  bucket?.close()
  await proxy?.close()
})

const send = (path: string, init: RequestInit = {}) => fetch(`${server.url}/${path}`, init)

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  send(path, { method, headers })

const upload = async (file: File): Promise<Response> => {
  const body = new FormData()
  body.append('file', file)
  const query = 'image_category=user&is_intermediate=false'
  return send(`api/v1/images/upload?${query}`, { method: 'POST', body })
}

const addImage = async (name: string) => {
  const file = await drawFile(name)
  const answer = await upload(file)
  expect(answer.status).toBe(201)
  const image = (await answer.json()) as ImageRecord
  return { image, bytes: Buffer.from(await file.arrayBuffer()) }
}

const objectsOf = async ({ image_name }: ImageRecord): Promise<string[]> => {
  const keys = await keysOf(bucket)
  return keys.filter((key) => key.includes(image_name))
}

/** Adds a clip, as a record among images. */
const addClip = async (name: string) => {
  const bytes = await drawClip({ hasSound: true })
  const { client } = server
  const { video_name } = await client.videos.upload({ bytes: new Blob([bytes]), fileName: name })
  const [image] = await client.images.getMany([video_name])
  if (image === undefined) throw new Error('The clip is there.')
  return { image, bytes }
}

/** An item of each kind, with its media type. */
const kinds = [
  ['image', addImage, 'png', 'image/png'],
  ['video', addClip, 'mp4', 'video/mp4'],
] as const

test.each(kinds)(
  'stores an uploaded %s and its thumbnail in the bucket only',
  async (_, add, extension) => {
    const { image, bytes } = await add(`cat.${extension}`)

    expect(await objectsOf(image)).toHaveLength(2)
    expect(await readdir(join(server.dataFolder, 'incoming'))).toEqual([])
    expect(await readdir(server.dataFolder)).not.toContain('images')
    expect(Buffer.from(await (await get(image.image_url)).bytes())).toEqual(bytes)
    expect((await get(image.thumbnail_url)).headers.get('content-type')).toBe('image/webp')
  },
)

test('imports a folder with videos, and an export with a chosen poster', async () => {
  const { client } = server
  const parent = await createTemporaryFolder()
  onTestFinished(() => removeFolder(parent))
  const [folder, exported] = [join(parent, 'folder'), join(parent, 'exported')]
  const boat = await drawClip({ container: 'mkv', hasSound: true })
  await writeTree(folder, {
    ...{ 'Clips/boat.mkv': boat, 'Clips/still.png': null },
    ...{ 'cut.mp4': boat.subarray(0, 500), 'Clips/twin.mkv': boat },
  })
  const importAll = async (path: string) => {
    const { import_id } = await client.imports.start({ folder: path })
    const stateOf = async () => (await client.imports.get(import_id)).state
    await expect.poll(stateOf, { timeout: 60_000 }).toBe('completed')
    return client.imports.get(import_id)
  }

  expect(await importAll(folder)).toMatchObject({ taken_in: 2, videos: 1, known: 1, refused: 1 })
  expect(await importAll(folder)).toMatchObject({ taken_in: 0 })
  const board = await client.boards.getBoardHandleByName('Clips')
  const view = { boardId: board?.boardId ?? '', kind: 'video' } as const
  const [clip] = (await client.images.page(view, { offset: 0, limit: 9 })).items
  expect(clip).toMatchObject({ file_name: 'boat.mkv', video: { codec: 'h264', has_sound: true } })
  if (clip === undefined) return
  expect(await objectsOf(clip)).toHaveLength(2)
  expect(Buffer.from(await (await get(clip.image_url)).bytes())).toEqual(boat)
  const strip = client.videos.stripUrl({ video_name: clip.image_name })
  expect((await fetch(strip)).status).toBe(200)
  expect(await objectsOf(clip)).toHaveLength(3)

  const black = await drawClip({ frames: 30, black: 12 })
  const other = await startServer()
  onTestFinished(() => other.close())
  const source = { bytes: new Blob([black]), fileName: 'black.mp4' }
  const { video_name } = await other.client.videos.upload(source)
  await other.client.videos.setPoster(video_name, { timeMs: 100 })
  const ended = await runCommand('export', exported, '--data', other.dataFolder)
  expect(ended).toMatchObject({ code: 0, err: '' })
  expect(await importAll(exported)).toMatchObject({ source: 'export', taken_in: 1, videos: 1 })
  const all = (await client.videos.page({}, { offset: 0, limit: 100 })).items
  const imported = all.find((video) => video.file_name === 'black.mp4')
  expect(imported).toMatchObject({ poster_ms: 100, duration: 3 })
  const brightness = await sharp(await (await get(imported?.thumbnail_url ?? '')).bytes()).stats()
  expect(brightness.channels[0]?.max).toBeLessThan(40)

  await client.videos.delete([clip.image_name])
  await expect.poll(() => objectsOf(clip)).toEqual([])
})

test('an upload that breaks off goes on, and ends in the bucket', async () => {
  const clip = await paddedClip(1_000_000)
  const tus = tusRequests(server.url)
  const place = (await tus.create(clip.length, { filename: 'a.mp4' })).headers.get('location') ?? ''
  const request = await tus.breakOff(place, 0, clip, 900_000)
  await request.cut()
  const offset = Number(await tus.offsetOf(place))
  proxy.fail('forbid', { method: 'PUT' })
  const failed = await tus.patch(place, offset, clip.subarray(offset))
  expect(failed.status).toBeGreaterThanOrEqual(500)
  proxy.recover()
  const answer = await tus.patch(place, clip.length, Buffer.alloc(0))

  const image = (await answer.json()) as ImageRecord
  expect(await objectsOf(image)).toHaveLength(2)
  expect(Buffer.from(await (await get(image.image_url)).bytes())).toEqual(clip)
  expect(await readdir(join(server.dataFolder, 'uploads'))).toEqual([])
})

test.each(kinds)(
  'answers conditional and range requests for an %s as from a data folder',
  async (_, add, extension, mediaType) => {
    const { image, bytes } = await add(`dog.${extension}`)
    const etag = `"${image.content_hash}"`

    const whole = await get(image.image_url)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      etag,
      'accept-ranges': 'bytes',
      'content-length': String(bytes.length),
      'content-type': mediaType,
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const part = await get(image.image_url, { range: 'bytes=10-19', 'if-range': etag })
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 10-19/${bytes.length}`,
    ])
    expect(Buffer.from(await part.bytes())).toEqual(bytes.subarray(10, 20))
    expect((await get(image.image_url, { 'if-none-match': etag })).status).toBe(304)
    expect((await get(image.image_url, { range: 'bytes=99999999-' })).status).toBe(416)
    const head = await get(image.image_url, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
  },
)

test.each(kinds)(
  'makes further thumbnails, zips and copies of an %s, and deletes all objects',
  async (_, add, extension) => {
    const { image, bytes } = await add(`owl.${extension}`)
    const { image_name } = image

    const { client } = server
    await client.server.capabilities()
    const larger = await fetch(client.images.thumbnailUrl(image, 768))
    expect(larger.status).toBe(200)
    const { copied_images } = await client.images.copy([image_name], 'none')
    const [{ image_name: copyName } = { image_name: '' }] = copied_images
    const copy = await get(itemUrls(copyName).image_url)
    expect(Buffer.from(await copy.bytes())).toEqual(bytes)

    const archive = await send('api/v1/images/archives', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ image_names: [image_name, copyName] }),
    })
    const { archive_url } = (await archive.json()) as { archive_url: string }
    const zip = [...readStoredZip(Buffer.from(await (await get(archive_url)).bytes()))]
    expect(zip.map(([, content]) => Buffer.from(content).equals(bytes))).toEqual([true, true])

    expect(await objectsOf(image)).toHaveLength(3)
    await client.images.delete([image_name])
    await expect.poll(() => objectsOf(image)).toEqual([])
    expect((await get(itemUrls(copyName).image_url)).status).toBe(200)
  },
)

test('finds everything after a restart, and sets an object of a crash aside', async () => {
  const { image, bytes } = await addImage('fox.png')
  const lost = image.image_name.replace(/^.{8}/, '018f0000')
  const folder = `${bucket.prefix}images/${image.image_name.slice(34, 36)}`
  await runOn(databaseUrl, `INSERT INTO tessera.pending_files VALUES ('${lost}', 0)`)
  await bucket.put(`${folder}/${lost}`, bytes, 'image/png')

  await server.restart()

  expect((await get(image.image_url)).status).toBe(200)
  const keys = await keysOf(bucket)
  expect(keys.filter((key) => key.includes(lost))).toEqual([
    expect.stringContaining(`${bucket.prefix}set-aside/`),
  ])
})

test('refuses while the store is away, stays writable, and goes on afterwards', async () => {
  const { image } = await addImage('elk.png')

  proxy.fail('refuse')
  const [refused, unread] = [await upload(await drawFile('new.png')), await get(image.image_url)]
  proxy.fail('refuse', { times: 0 })

  for (const { status, headers } of [refused, unread]) {
    expect([status, headers.get('x-refusal-code')]).toEqual([503, 'disk_error'])
  }
  expect(await refused.text()).toContain('The store of the images failed (SlowDown).')
  expect((await get(image.image_url)).status).toBe(200)
  await addImage('ibex.png')
})
