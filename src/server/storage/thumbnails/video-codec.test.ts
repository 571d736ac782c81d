import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STRIP_FRAMES } from '#contract/limits.ts'
import { drawClip, drawClipWithoutFrames } from '#testing/library/draw-clip.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openImageCodec } from './image-codec.ts'

let folder: string
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => removeFolder(folder))

const codec = openImageCodec({ maxPixels: 1_000_000 })

const store = async (bytes: Uint8Array) => {
  const path = join(folder, `${(await readdir(folder)).length}.bin`)
  await writeFile(path, bytes)
  return path
}

const decode = async (bytes: Uint8Array) => codec.decode(await store(bytes), { kind: 'video' })

/** Returns the mean colors of the left and the right half of a poster. */
const halvesOf = async (poster: Uint8Array) => {
  const { data } = await sharp(poster)
    .resize(2, 1, { fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data].map((value) => Math.round(value / 255))
}

test.each([
  ['mp4', 'avc', 'video/mp4', 'h264'],
  ['mp4', 'hevc', 'video/mp4', 'hevc'],
  ['mp4', 'av1', 'video/mp4', 'av1'],
  ['mov', 'avc', 'video/quicktime', 'h264'],
  ['mov', 'prores', 'video/quicktime', 'prores'],
  ['mkv', 'avc', 'video/x-matroska', 'h264'],
  ['webm', 'vp8', 'video/webm', 'vp8'],
  ['webm', 'vp9', 'video/webm', 'vp9'],
] as const)('reads %s with %s', async (container, encoding, mediaType, name) => {
  const decoded = await decode(
    await drawClip({ container, codec: encoding, width: 128, height: 96, fps: 24, frames: 12 }),
  )

  expect(decoded).toMatchObject({ mediaType, width: 128, height: 96, isAnimated: false })
  expect(decoded.video).toEqual({
    ...{ duration_ms: 500, frame_rate: 24_000, codec: name, has_sound: false },
  })
  expect(decoded.thumbhash.length).toBeGreaterThan(0)
  expect(await halvesOf(decoded.thumbnail)).toEqual([1, 1, 1, 0, 0, 1])
})

test('turns a video as a player shows it', async () => {
  const { width, height, thumbnail } = await decode(await drawClip({ rotation: 90 }))

  expect([width, height]).toEqual([48, 64])
  expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 48, height: 64 })
})

test.each([
  [0, [0, 0, 0, 0, 0, 0]],
  [1_190, [0, 0, 0, 0, 0, 0]],
  [1_200, [1, 1, 1, 0, 0, 1]],
  [2_999, [1, 1, 1, 0, 0, 1]],
  [3_600_000, [1, 1, 1, 0, 0, 1]],
])('draws the frame at %s ms', async (timeMs, colors) => {
  const path = await store(await drawClip({ frames: 30, black: 12 }))

  const { thumbnail, thumbhash } = await codec.poster(path, timeMs)

  expect(await halvesOf(thumbnail)).toEqual(colors)
  expect(thumbhash.length).toBeGreaterThan(0)
  expect(await halvesOf(await codec.thumbnail(path, 768, 'video', timeMs))).toEqual(colors)
})

/** Returns the brightness of the left half of each frame of a strip. */
const framesOf = async (strip: Uint8Array) => {
  const { data, info } = await sharp(strip)
    .resize(2 * STRIP_FRAMES, 1, { fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Array.from({ length: STRIP_FRAMES }, (_, at) =>
    Math.round((data[2 * at * info.channels] ?? 0) / 255),
  )
}

const half = (first: number) =>
  Array.from({ length: STRIP_FRAMES }, (_, at) => (at < STRIP_FRAMES / 2 ? first : 1))

test.each([
  ['frames that need others', { frames: 40, black: 20 }, [64 * STRIP_FRAMES, 48], half(0)],
  ['few frames', { frames: 2, black: 1 }, [64 * STRIP_FRAMES, 48], half(0)],
  ['one frame', { frames: 1 }, [64 * STRIP_FRAMES, 48], half(1)],
  ['a turned video', { rotation: 90 as const }, [48 * STRIP_FRAMES, 64], null],
  [
    'a large video in which each frame is a key frame @long',
    { container: 'mov', codec: 'prores', width: 640, height: 360, frames: 20, black: 10 } as const,
    [160 * STRIP_FRAMES, 90],
    null,
  ],
])('draws a strip of %s', async (_, clip, [width, height], brightness) => {
  const strip = await codec.strip(await store(await drawClip(clip)))

  expect(await sharp(strip).metadata()).toMatchObject({ format: 'webp', width, height })
  if (brightness !== null) expect(await framesOf(strip)).toEqual(brightness)
})

test('draws no strip of a video whose frames are lost', async () => {
  const path = await store(await drawClipWithoutFrames())

  await expect(codec.strip(path)).rejects.toMatchObject({ code: 'damaged_image' })
})

test('keeps a video whose frames are lost, without a poster', async () => {
  const path = await store(await drawClipWithoutFrames())

  const decoded = await codec.decode(path, { kind: 'video' })

  expect([decoded.thumbnail.length, decoded.thumbhash.length]).toEqual([0, 0])
  const refused = { code: 'damaged_image' }
  await expect(codec.poster(path, 100)).rejects.toMatchObject(refused)
  await expect(codec.poster(path, null)).rejects.toMatchObject(refused)
})

test('takes a poster that is not black', async () => {
  const { thumbnail } = await decode(await drawClip({ frames: 30, black: 12 }))

  expect(await halvesOf(thumbnail)).toEqual([1, 1, 1, 0, 0, 1])
})

test.each([
  ['mp4', { prompt: '{"1":{"class_type":"A","inputs":{}}}', workflow: '{"nodes":[]}' }],
  ['mkv', { PROMPT: '{"1":{"class_type":"A","inputs":{}}}', WORKFLOW: '{"nodes":[]}' }],
  [
    'mp4',
    {
      comment:
        '{"prompt":"{\\"1\\":{\\"class_type\\":\\"A\\",\\"inputs\\":{}}}","workflow":{"nodes":[]}}',
    },
  ],
] as const)('reads the workflow of ComfyUI in the texts of a %s file', async (container, texts) => {
  const { metadata } = await decode(await drawClip({ container, texts }))

  expect(metadata.normal?.generator).toBe('comfyui')
  expect(metadata.workflow).toBe('{"nodes":[]}')
})

test.each<[string, (clip: Buffer) => Uint8Array, string]>([
  ['an empty file', () => Buffer.alloc(0), 'empty_file'],
  ['a few bytes', () => Buffer.from('\x89PNG', 'latin1'), 'not_a_video'],
  ['a text', () => Buffer.alloc(5_000, 'text '), 'not_a_video'],
  ['the first half', (clip) => clip.subarray(0, clip.length / 2), 'damaged_video'],
  ['a file without its last bytes', (clip) => clip.subarray(0, -20), 'damaged_video'],
  ['only the beginning', (clip) => clip.subarray(0, 40), 'damaged_video'],
])('refuses %s', async (_name, cut, code) => {
  await expect(decode(cut(await drawClip({ width: 320, height: 240 })))).rejects.toMatchObject({
    code,
  })
})

test('refuses more pixels than the limit', async () => {
  const clip = await drawClip({ width: 1280, height: 960, frames: 2 })

  await expect(decode(clip)).rejects.toMatchObject({ code: 'too_many_pixels' })
})

test.each([
  ['with a date', Date.UTC(2025, 6, 8, 9, 10, 11), Date.UTC(2025, 6, 8, 9, 10, 11)],
  ['without a date', Date.UTC(1904, 0, 1), null],
])('reads a movie header %s', async (_, date, takenAt) => {
  for (const container of ['mp4', 'mov'] as const) {
    const clip = await drawClip({ container })
    clip.writeUInt32BE((date - Date.UTC(1904, 0, 1)) / 1000, clip.indexOf('mvhd') + 8)

    expect((await decode(clip)).takenAt, container).toBe(takenAt)
  }
})
