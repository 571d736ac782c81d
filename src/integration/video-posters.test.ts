import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { MAX_POSTER_BYTES } from '#contract/limits.ts'
import type { VideoRecord } from '#contract/videos/video.ts'
import { drawClip, drawClipWithoutFrames } from '#testing/library/draw-clip.ts'
import { runCommand } from '#testing/server/run-command.ts'
import { startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Api, openApi } from './open-api.ts'

const BLACK = 0
const WHITE = 255

let api: Api
/** Black for 1.2 seconds, then white on the left. */
let clip: Buffer<ArrayBuffer>
let withoutFrames: Buffer<ArrayBuffer>
beforeAll(async () => {
  api = await openApi()
  clip = await drawClip({ frames: 30, black: 12 })
  withoutFrames = await drawClipWithoutFrames()
})
afterAll(() => api.close())

const upload = (bytes: Buffer<ArrayBuffer>) =>
  connect({ baseUrl: api.url }).videos.upload({ bytes: new Blob([bytes]), fileName: 'boat.mp4' })

const put = (videoName: string, json: unknown) =>
  api.send('PUT', `/api/v1/videos/i/${videoName}/poster`, { json })

const change = async (videoName: string, json: unknown) => {
  const { status, body } = await put(videoName, json)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as VideoRecord
}

const get = async (videoName: string) =>
  (await api.send('GET', `/api/v1/videos/i/${videoName}`)).body as VideoRecord

/** Returns the brightness of the left half of a thumbnail. */
const leftOf = async ({ thumbnail_url }: Pick<VideoRecord, 'thumbnail_url'>, size = 384) => {
  const answer = await fetch(`${api.url}/${thumbnail_url}&size=${size}`)
  expect(answer.status).toBe(200)
  const bytes = await answer.arrayBuffer()
  const [left] = await sharp(Buffer.from(bytes))
    .resize(2, 1, { fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer()
  return Math.round((left ?? 0) / 255) * 255
}

const picture = (color: string, width = 800) =>
  sharp({ create: { width, height: 600, channels: 3, background: color } })
    .jpeg()
    .toBuffer()

test('makes another frame the poster in all sizes, and the automatic one again', async () => {
  const video = await upload(clip)
  expect([await leftOf(video), await leftOf(video, 768)]).toEqual([WHITE, WHITE])

  const chosen = await change(video.video_name, { time_ms: 100 })

  expect(chosen).toMatchObject({ poster_ms: 100, video_name: video.video_name })
  expect(chosen.thumbhash).not.toBe(video.thumbhash)
  expect(chosen.thumbnail_url).not.toBe(video.thumbnail_url)
  expect(await get(video.video_name)).toEqual(chosen)
  expect([await leftOf(chosen), await leftOf(chosen, 768)]).toEqual([BLACK, BLACK])

  const automatic = await change(video.video_name, { time_ms: null })
  expect(automatic).toMatchObject({ poster_ms: null, thumbhash: video.thumbhash })
  expect(automatic.thumbnail_url).toBe(video.thumbnail_url)
  expect([await leftOf(automatic), await leftOf(automatic, 768)]).toEqual([WHITE, WHITE])
})

test('lets browsers cache only a thumbnail whose address names its poster', async () => {
  const { video_name, thumbnail_url } = await upload(clip)
  const bare = `/api/v1/videos/i/${video_name}/thumbnail`
  const ask = (path: string, headers: Record<string, string> = {}) =>
    api.send('GET', path, { headers })
  const first = await ask(bare)
  const etag = first.headers.get('etag') ?? ''
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  expect((await ask(`/${thumbnail_url}`)).headers.get('cache-control')).toContain('immutable')
  expect((await ask(bare, { 'if-none-match': etag })).status).toBe(304)

  await change(video_name, { time_ms: 0 })

  expect((await ask(bare, { 'if-none-match': etag })).status).toBe(200)
  // A page that does not know of the change yet.
  expect((await ask(`/${thumbnail_url}`)).headers.get('cache-control')).toBe('private, no-cache')
})

test('makes lost thumbnails of a chosen poster again', async () => {
  const { video_name } = await upload(clip)
  const chosen = await change(video_name, { time_ms: 100 })

  await rm(join(api.dataFolder, 'thumbnails'), { recursive: true })

  expect(await leftOf(chosen)).toBe(BLACK)
  expect(await leftOf(chosen, 1536)).toBe(BLACK)
})

test('keeps one of several posters that are chosen at once', async () => {
  const { video_name } = await upload(clip)
  const times = [100, 2_000, 200, 2_100, 300, 2_200]

  const work = times.flatMap((time_ms) => [
    put(video_name, { time_ms }),
    fetch(`${api.url}/api/v1/videos/i/${video_name}/thumbnail?size=768`),
  ])
  await Promise.all(work)

  const last = await get(video_name)
  const expected = (last.poster_ms ?? 0) < 1_200 ? BLACK : WHITE
  expect(times).toContain(last.poster_ms)
  expect([await leftOf(last), await leftOf(last, 768)]).toEqual([expected, expected])
})

test('keeps the poster of a copy, and of a video that was in the trash', async () => {
  const { video_name } = await upload(clip)
  const chosen = await change(video_name, { time_ms: 100 })
  const client = connect({ baseUrl: api.url })

  const { copied_images } = await client.images.copy([video_name], 'none')
  const copy = await get(copied_images[0]?.image_name ?? '')
  expect(copy).toMatchObject({ poster_ms: 100, thumbhash: chosen.thumbhash })
  await change(video_name, { time_ms: null })
  expect([await leftOf(copy), await leftOf(copy, 768)]).toEqual([BLACK, BLACK])

  await client.trash.trashImages([copy.video_name])
  expect((await put(copy.video_name, { time_ms: null })).status).toBe(404)
  await client.trash.restore({ imageNames: [copy.video_name] })
  expect(await get(copy.video_name)).toMatchObject({ poster_ms: 100 })
})

test('keeps poster and cover of a board in an export, and in a backup @long', {
  timeout: 120_000,
}, async () => {
  const from = await startServer()
  onTestFinished(() => from.close())
  const send = () => from.client.videos.upload({ bytes: new Blob([clip]), fileName: 'boat.mp4' })
  const { video_name } = await send()
  const chosen = await from.client.videos.setPoster(video_name, { timeMs: 100 })
  const { board_id } = await from.client.boardOperations.create('Clips')
  await from.client.images.move([video_name], board_id)
  await from.client.boardOperations.update(board_id, { cover_video_name: video_name })
  const automatic = await send()
  const bytesOf = async (url: string, record: Pick<VideoRecord, 'thumbnail_url'>) =>
    Buffer.from(await (await fetch(`${url}/${record.thumbnail_url}`)).arrayBuffer())
  const pictures = [await bytesOf(from.url, chosen), await bytesOf(from.url, automatic)]
  expect(pictures[0]).not.toEqual(pictures[1])
  const parent = await createTemporaryFolder()
  onTestFinished(() => removeFolder(parent))
  const [exported, backup, imported, restored] = ['export', 'backup', 'imported', 'restored'].map(
    (name) => join(parent, name),
  ) as [string, string, string, string]

  const done = [
    await runCommand('export', exported, '--data', from.dataFolder),
    await runCommand('import', exported, '--data', imported),
    await runCommand('backup', backup, '--data', from.dataFolder),
    await runCommand('restore', backup, '--data', restored),
  ]

  expect(done.map(({ code, err }) => [code, err])).toEqual(done.map(() => [0, '']))
  for (const dataFolder of [imported, restored]) {
    const to = await startServer({ dataFolder })
    onTestFinished(() => to.close())
    const { items } = await to.client.videos.page({}, { offset: 0, limit: 9 })
    const videos = items.toSorted(
      (a, b) => Number(a.poster_ms === null) - Number(b.poster_ms === null),
    )
    const [board] = await to.client.boardOperations.list()
    expect(board).toMatchObject({
      cover_video_name: videos[0]?.video_name,
      chosen_cover_image_name: videos[0]?.video_name,
    })
    expect(videos).toMatchObject([
      { poster_ms: 100, thumbhash: chosen.thumbhash },
      { poster_ms: null, thumbhash: automatic.thumbhash },
    ])
    for (const [at, video] of videos.entries())
      expect(await bytesOf(to.url, video)).toEqual(pictures[at])
  }
})

test('takes the picture of a client for a video that it cannot decode', async () => {
  const { video_name, thumbnail_url, thumbhash } = await upload(withoutFrames)
  expect(thumbhash).toBeNull()
  expect((await fetch(`${api.url}/${thumbnail_url}`)).status).toBe(415)
  const needsPicture = await put(video_name, { time_ms: 100 })
  expect(needsPicture.status).toBe(501)
  expect(needsPicture.headers.get('x-refusal-code')).toBe('cannot_draw_poster')
  const videos = connect({ baseUrl: api.url }).videos

  const white = new Blob([new Uint8Array(await picture('white'))])
  const first = await videos.setPoster(video_name, { picture: white })
  expect(first).toMatchObject({ poster_ms: null, thumbnail_url })
  expect(first.thumbhash).not.toBeNull()
  for (const size of [384, 768, 1536]) expect(await leftOf(first, size)).toBe(WHITE)

  const black = new Blob([new Uint8Array(await picture('black'))])
  // The video has a poster.
  expect(await videos.setPoster(video_name, { picture: black })).toEqual(first)
  const chosen = await videos.setPoster(video_name, { timeMs: 300, picture: black })
  expect(chosen.poster_ms).toBe(300)
  expect(await leftOf(chosen, 768)).toBe(BLACK)

  // The next client that shows the video draws the chosen frame again.
  await rm(join(api.dataFolder, 'thumbnails'), { recursive: true })
  expect(await videos.setPoster(video_name, { picture: black })).toMatchObject({ poster_ms: 300 })
  expect(await videos.setPoster(video_name, { timeMs: null })).toMatchObject({
    ...{ poster_ms: null, thumbhash: null },
  })
})

test('decodes the video rather than take a picture', async () => {
  const { video_name } = await upload(clip)
  const base64 = (await picture('white')).toString('base64')

  expect(await leftOf(await change(video_name, { time_ms: 0, picture: base64 }))).toBe(BLACK)
})

test.each<[string, unknown, number]>([
  ['no JSON object', 'time', 422],
  ['nothing', {}, 422],
  ['a negative time', { time_ms: -1 }, 422],
  ['a time that is no integer', { time_ms: 1.5 }, 422],
  ['a time that is no number', { time_ms: 'now' }, 422],
  ['a time beyond any video', { time_ms: 2 ** 31 }, 422],
  ['a picture that is no text', { picture: [1] }, 422],
  [
    'a picture that is no image',
    { time_ms: 0, picture: Buffer.from('GIF?').toString('base64') },
    415,
  ],
  ['a picture that is no base64', { time_ms: 0, picture: '<>' }, 415],
  ['an empty picture', { time_ms: 0, picture: '' }, 415],
  ['a picture that was cut off', { time_ms: 0, picture: 'cut' }, 415],
  ['a video as its picture', { time_ms: 0, picture: 'video' }, 415],
  ['too large a picture', { time_ms: 0, picture: 'large' }, 413],
])('refuses %s and changes nothing', async (_name, json, status) => {
  const video = await upload(withoutFrames)
  const before = await api.storedFiles()
  const bytes = {
    cut: async () => (await picture('red')).subarray(0, 2_000),
    video: async () => clip,
    large: async () => Buffer.alloc(MAX_POSTER_BYTES + 1),
  }
  const { picture: kind } = json as { picture?: keyof typeof bytes }
  const isKnown = typeof kind === 'string' && Object.hasOwn(bytes, kind)
  const sent = isKnown
    ? { ...(json as object), picture: (await bytes[kind]()).toString('base64') }
    : json

  expect((await put(video.video_name, sent)).status).toBe(status)

  expect(await get(video.video_name)).toEqual(video)
  expect(await api.storedFiles()).toEqual(before)
})

test('refuses unknown videos, images, and a damaged original', async () => {
  const { image_name } = await api.makeImage('still.png')
  for (const name of ['unknown.mp4', '..%2Fx.mp4', image_name])
    expect((await put(name, { time_ms: 0 })).status, name).toBe(404)
  const { video_name } = await upload(clip)
  const folder = video_name.slice(34, 36)
  await writeFile(join(api.dataFolder, 'images', folder, video_name), withoutFrames)

  const refused = await put(video_name, { time_ms: 0 })

  expect(refused.headers.get('x-refusal-code')).toBe('original_damaged')
  expect(await get(video_name)).toMatchObject({ poster_ms: null })
})
