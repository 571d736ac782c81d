import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawClip } from '#testing/library/draw-clip.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openVideoConverter } from './open-video-converter.ts'

let folder: string
let clip: Buffer
beforeAll(async () => {
  folder = await createTemporaryFolder()
  clip = await drawClip({ codec: 'hevc', frames: 100 })
})
afterAll(() => removeFolder(folder))

const convert = async (
  bytes: Buffer,
  limits: Parameters<typeof openVideoConverter>[0] = {},
  signal = new AbortController().signal,
) => {
  const [from, to] = [join(folder, 'from.mp4'), join(folder, 'to.mp4')]
  await writeFile(from, bytes)
  const options = { durationMs: 0, signal, onProgress: () => undefined }
  await openVideoConverter(limits).convert(from, to, options)
  return (await stat(to)).size
}

test('converts a video within its limits', async () => {
  expect(await convert(clip)).toBeGreaterThan(1_000)
})

test.each([
  ['memory', { memoryBytes: 1_000 }],
  ['time', { ms: 1 }],
])('ends a conversion that takes too much %s', async (limit, limits) => {
  await expect(convert(clip, limits)).rejects.toMatchObject({
    code: 'conversion_failed',
    message: expect.stringContaining(limit),
  })
})

test('refuses a file that is no video or lost its end', async () => {
  const refused = { code: 'conversion_failed' }

  await expect(convert(Buffer.from('no video'))).rejects.toMatchObject(refused)
  await expect(convert(clip.subarray(0, clip.length / 2))).rejects.toMatchObject(refused)
})

test('ends with the reason of a stop', async () => {
  const stop = AbortSignal.abort(new Error('stopped'))

  await expect(convert(clip, {}, stop)).rejects.toThrow('stopped')
})
