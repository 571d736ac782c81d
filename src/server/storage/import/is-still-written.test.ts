import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawClip } from '#testing/library/draw-clip.ts'
import { endlessMatroska } from '#testing/library/endless-matroska.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { isStillWritten } from './is-still-written.ts'

let folder: string
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => removeFolder(folder))

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

test.each<[string, boolean, () => Promise<Buffer> | Buffer]>([
  ['MP4', false, () => drawClip()],
  ['MP4 that was cut off', false, async () => (await drawClip()).subarray(0, 700)],
  ['MP4 in fragments', true, () => Buffer.concat([hex('00000008'), Buffer.from('ftyp..mvex')])],
  ['Matroska', false, () => drawClip({ container: 'mkv' })],
  ['WebM', false, () => drawClip({ container: 'webm', codec: 'vp8' })],
  [
    'Matroska of unknown size',
    true,
    async () => endlessMatroska(await drawClip({ container: 'mkv' })),
  ],
  [
    'Matroska that is still copied',
    true,
    async () => (await drawClip({ container: 'mkv' })).subarray(0, -1),
  ],
  ['Matroska of unknown size in one byte', true, () => hex('1a45dfa3 80 18538067 ff 00')],
  ['Matroska whose size was cut off', false, () => hex('1a45dfa3 80 18538067 01 ff')],
  [
    'Matroska with a size of no length',
    false,
    () => hex('1a45dfa3 80 18538067 00 ffffffffffffffff'),
  ],
  ['Matroska without a segment', false, () => hex('1a45dfa3 80 00')],
  ['an empty file', false, () => Buffer.alloc(0)],
  ['a text', false, () => Buffer.from('mvex')],
])('%s: %s', async (name, isIt, bytes) => {
  const path = join(folder, `${name}.bin`)
  await writeFile(path, await bytes())

  expect(await isStillWritten(path)).toBe(isIt)
})
