import { readdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { BufferSource, Input, MP4, VideoSampleSink } from 'mediabunny'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { TesseraClient } from '#client/index.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { reuseServer } from '#testing/server/reuse-server.ts'
import { startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const server = reuseServer()
const serverWithoutCopies = reuseServer({ playableCacheBytes: 0 })

type Clip = Parameters<typeof drawClip>[0]

/** A clip with so many frames that its conversion takes long enough to be stopped. */
let long: Buffer<ArrayBuffer>
beforeAll(async () => {
  long = await drawClip({ codec: 'hevc', fps: 100, frames: 2_000 })
})

const store = (client: TesseraClient, bytes: Buffer<ArrayBuffer>) =>
  client.videos.upload({ bytes: new Blob([bytes]), fileName: 'boat.mov' })

const upload = async (client: TesseraClient, clip: Clip) => store(client, await drawClip(clip))

const make = async (
  client: TesseraClient,
  videoName: string,
  { signal, onShare }: { signal?: AbortSignal; onShare?: (share: number) => void } = {},
) => {
  const shares: number[] = []
  for await (const share of client.videos.makePlayable(videoName, { signal })) {
    shares.push(share)
    onShare?.(share)
  }
  return shares
}

/** Begins to make a copy, and returns when its process works. */
const begin = async (client: TesseraClient, videoName: string) => {
  const leaving = new AbortController()
  const { promise: working, resolve } = Promise.withResolvers<void>()
  const ended = make(client, videoName, {
    signal: leaving.signal,
    onShare: (share) => share > 0 && resolve(),
  }).then(
    () => 'done',
    (error: Error) => error.name,
  )
  await working
  return { ended, leave: () => leaving.abort() }
}

const copiesIn = async (dataFolder: string): Promise<string[]> =>
  readdir(join(dataFolder, 'playable')).catch(() => [])

test.each<[string, Clip]>([
  ['HEVC', { codec: 'hevc', hasSound: true }],
  ['ProRes in MOV @long', { codec: 'prores', container: 'mov', hasSound: true }],
  ['VP9 in WebM @long', { codec: 'vp9', container: 'webm' }],
  ['H.264 in MKV', { codec: 'avc', container: 'mkv', hasSound: true }],
])('makes a copy of %s that plays from its first bytes', async (_, clip) => {
  const { client } = await server()
  const video = await upload(client, clip)

  const shares = await make(client, video.video_name)

  expect(shares[0]).toBe(0)
  expect(shares).toEqual(shares.toSorted((one, other) => one - other))
  const answer = await fetch(client.videos.playableUrl(video))
  expect(answer.headers.get('content-type')).toBe('video/mp4')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  const input = new Input({ formats: [MP4], source: new BufferSource(bytes) })
  const track = await input.getPrimaryVideoTrack()
  const sound = await input.getPrimaryAudioTrack()
  expect(await track?.getCodecParameterString()).toMatch(/^avc1\.(42|4d|64)/)
  expect(await sound?.getCodec()).toBe(clip?.hasSound ? 'aac' : undefined)
  expect([await track?.getDisplayWidth(), await track?.getDisplayHeight()]).toEqual([64, 48])
  expect(await track?.computeDuration()).toBeCloseTo(1)
  const frame = track && (await new VideoSampleSink(track).getSample(0.5))
  expect(frame?.timestamp).toBe(0.5)
  frame?.close()
  input.dispose()
  // The original is what downloads give.
  expect((await client.videos.get(video.video_name))?.file_size).toBe(video.file_size)
})

test('turns a video and makes it smaller @long', async () => {
  const { client } = await server()
  const size = { width: 2048, height: 98, rotation: 90, frames: 2 } as const
  const video = await upload(client, { codec: 'hevc', ...size })

  await make(client, video.video_name)

  const bytes = await (await fetch(client.videos.playableUrl(video))).arrayBuffer()
  const input = new Input({ formats: [MP4], source: new BufferSource(bytes) })
  const track = await input.getPrimaryVideoTrack()
  expect([await track?.getDisplayWidth(), await track?.getDisplayHeight()]).toEqual([92, 1920])
  input.dispose()
})

test('answers ranges and conditions, and a second request at once', async () => {
  const { client } = await server()
  const video = await upload(client, { codec: 'hevc' })
  const url = client.videos.playableUrl(video)
  const before = await fetch(url, { method: 'HEAD' })
  expect([before.status, before.headers.get('x-refusal-code')]).toEqual([404, 'no_playable_copy'])

  await make(client, video.video_name)

  expect(await make(client, video.video_name)).toEqual([])
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
  const part = await fetch(url, { headers: { range: 'bytes=4-7' } })
  expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
  const etag = head.headers.get('etag') ?? ''
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('two clients share a conversion, which goes on when one of them leaves', async () => {
  const { client, dataFolder } = await server()
  const { video_name } = await store(client, long)
  const first = await begin(client, video_name)
  const second = await begin(client, video_name)
  const files = await copiesIn(dataFolder)

  first.leave()

  expect(files.filter((name) => name.startsWith(video_name))).toHaveLength(1)
  expect(await Promise.all([first.ended, second.ended])).toEqual(['AbortError', 'done'])
  expect(await copiesIn(dataFolder)).toContain(`${video_name}.mp4`)
})

test('stops when the last client leaves, leaves nothing, and can begin anew', async () => {
  const { client, dataFolder } = await server()
  const { video_name } = await store(client, long)
  const before = await copiesIn(dataFolder)
  const { ended, leave } = await begin(client, video_name)

  leave()

  expect(await ended).toBe('AbortError')
  await expect.poll(() => copiesIn(dataFolder)).toEqual(before)
  await make(client, video_name)
  expect(await copiesIn(dataFolder)).toContain(`${video_name}.mp4`)
})

test('a server that stops ends the conversion and leaves nothing', async () => {
  const stopped = await startServer()
  onTestFinished(() => stopped.close())
  const { video_name } = await store(stopped.client, long)
  const { ended } = await begin(stopped.client, video_name)

  await stopped.restart()

  expect(['RefusedError', 'ConnectionError']).toContain(await ended)
  expect(await copiesIn(stopped.dataFolder)).toEqual([])
})

test('refuses unknown names, images, and a file that was cut off', async () => {
  const { client, dataFolder } = await server()
  const image = await client.uploads.upload({ bytes: await drawFile('cat.png') })
  for (const name of ['01890000-0000-7000-8000-000000000000.mp4', image.image_name]) {
    await expect(make(client, name)).rejects.toMatchObject({ status: 404 })
    expect((await fetch(client.videos.playableUrl({ video_name: name }))).status).toBe(404)
  }

  const { video_name } = await upload(client, { codec: 'hevc' })
  const path = join(dataFolder, 'images', video_name.slice(34, 36), video_name)
  await truncate(path, 500)
  await expect(make(client, video_name)).rejects.toMatchObject({ code: 'original_damaged' })
})

test('deletes the copy of a deleted video', async () => {
  const { client, dataFolder } = await server()
  const { video_name } = await upload(client, { codec: 'hevc' })
  await make(client, video_name)

  await client.videos.delete([video_name])

  await expect.poll(() => copiesIn(dataFolder)).not.toContain(`${video_name}.mp4`)
})

test('makes copies in a read-only library @long', async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const writable = await startServer({ dataFolder })
  const { video_name } = await upload(writable.client, { codec: 'hevc' })
  await writable.close()
  const readOnly = await startServer({ dataFolder, readOnly: true })
  try {
    await make(readOnly.client, video_name)
    expect((await fetch(readOnly.client.videos.playableUrl({ video_name }))).status).toBe(200)
  } finally {
    await readOnly.close()
  }
})

test('a server without space for copies refuses, and does not offer them', async () => {
  const { client, dataFolder } = await serverWithoutCopies()
  const { video_name } = await upload(client, { codec: 'hevc' })

  expect(await client.server.has('playable_copies')).toBe(false)
  await expect(make(client, video_name)).rejects.toMatchObject({ code: 'cannot_convert' })
  expect(await copiesIn(dataFolder)).toEqual([])
})
