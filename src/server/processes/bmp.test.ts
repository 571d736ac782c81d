import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BmpOptions, writeBmp } from '#testing/library/write-bmp.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { decodeBmp, isBmpHead, isCompressedBmp, readBmpMetadata } from './bmp.ts'

let folder: string
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => removeFolder(folder))

const stored = async (bytes: Uint8Array): Promise<string> => {
  const path = join(folder, 'a.bmp')
  await writeFile(path, bytes)
  return path
}

const decode = async (bytes: Uint8Array) => decodeBmp(await stored(bytes), 1_000_000)

/** Few colors, so that they fit into a palette of one bit, and extreme ones, which every depth represents exactly. */
const colorAt = (x: number, y: number) =>
  (x + y * 2) % 3 === 0 ? ([255, 0, 0, 255] as const) : ([0, 255, 255, 0] as const)

const kinds: [string, BmpOptions][] = [
  ['24 bits', {}],
  ['24 bits of OS/2', { headerBytes: 12 }],
  ['24 bits from the top', { isTopDown: true }],
  ['24 bits behind a gap', { gapBytes: 10 }],
  ['32 bits', { bits: 32 }],
  ['32 bits with masks', { bits: 32, masks: [0xff000000, 0xff0000, 0xff00] }],
  ['32 bits of 10 each', { bits: 32, masks: [0x3ff00000, 0xffc00, 0x3ff] }],
  ['16 bits', { bits: 16 }],
  ['16 bits with masks', { bits: 16, masks: [0xf800, 0x7e0, 0x1f] }],
  ['8 bits', { bits: 8 }],
  ['8 bits of OS/2', { bits: 8, headerBytes: 12 }],
  ['8 bits from the top', { bits: 8, isTopDown: true, headerBytes: 124 }],
  ['4 bits', { bits: 4 }],
  ['1 bit', { bits: 1 }],
]

describe.each(kinds)('%s', (_, options) => {
  test.each([1, 2, 3, 5, 8, 33])('decodes an image %i pixels wide', async (width) => {
    const size = { width, height: 4 }
    const pixels = Array.from({ length: 4 * width }, (_, at) =>
      colorAt(at % width, Math.floor(at / width)).slice(0, 3),
    )

    const decoded = await decode(writeBmp(size, colorAt, options))

    expect(decoded).toMatchObject({ ...size, channels: 3 })
    expect([...(decoded?.bytes ?? [])]).toEqual(pixels.flat())
  })
})

test('decodes alpha if there is a mask for it', async () => {
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000]
  const file = writeBmp({ width: 2, height: 1 }, colorAt, { bits: 32, headerBytes: 124, masks })

  expect(await readBmpMetadata(await stored(file))).toMatchObject({ channels: 4, hasAlpha: true })
  expect([...((await decode(file))?.bytes ?? [])]).toEqual([255, 0, 0, 255, 0, 255, 255, 0])
})

test('decodes an index outside the palette as black', async () => {
  const file = writeBmp({ width: 1, height: 1 }, () => [9, 9, 9, 255], { bits: 8 })
  file.writeUInt32LE(2, 46)
  file[file.length - 4] = 200

  expect([...((await decode(file))?.bytes ?? [])]).toEqual([0, 0, 0])
})

const sound = () => writeBmp({ width: 3, height: 3 }, colorAt)
const changed = (change: (file: Buffer) => void): Buffer => {
  const file = sound()
  change(file)
  return file
}

test.each<[string, Buffer]>([
  ['without its last byte', sound().subarray(0, -1)],
  ['with nothing but its header', sound().subarray(0, 54)],
  ['that ends in its header', sound().subarray(0, 30)],
  ['with no width', changed((file) => file.writeInt32LE(0, 18))],
  ['with a negative width', changed((file) => file.writeInt32LE(-3, 18))],
  ['with no height', changed((file) => file.writeInt32LE(0, 22))],
  ['of the largest size', changed((file) => file.fill(0x7f, 18, 26))],
  ['of the lowest height', changed((file) => file.writeInt32LE(-(2 ** 31), 22))],
  ['of 7 bits', changed((file) => file.writeUInt16LE(7, 28))],
  ['of 24 bits with masks', changed((file) => file.writeUInt32LE(3, 30))],
  ['with pixels in its header', changed((file) => file.writeUInt32LE(20, 10))],
  ['with pixels behind its end', changed((file) => file.writeUInt32LE(1e6, 10))],
])('refuses a file %s', async (_, file) => {
  await expect(readBmpMetadata(await stored(file))).rejects.toThrow('The BMP')
  await expect(decode(file)).rejects.toThrow('The BMP')
})

test('refuses a file with too many pixels before decoding them', async () => {
  const path = await stored(sound())

  await expect(decodeBmp(path, 8)).rejects.toThrow('too many pixels')
})

test('decodes or refuses a file with arbitrary header bytes', async () => {
  const header = fc.uint8Array({ minLength: 36, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(header, fc.constantFrom(12, 40, 52, 56, 64, 108, 124), async (bytes, size) => {
      const file = writeBmp({ width: 9, height: 9 }, colorAt, { bits: 32 })
      file.set(bytes, 18)
      file.writeUInt32LE(size, 14)
      const decoded = await decode(file).catch((error: Error) => error.message)
      if (typeof decoded === 'string') expect(decoded).toMatch(/^The BMP /)
      else expect(decoded?.bytes.length).toBeLessThan(1_000_000)
    }),
  )
})

test('takes no other format for a BMP', () => {
  expect(isBmpHead(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))).toBe(false)
  expect(isBmpHead(Buffer.from('BMW makes cars, and this is a text'))).toBe(false)
  expect(isBmpHead(Buffer.from('BM'))).toBe(false)
})

test.each([1, 2, 4, 5, 11])('detects compression %i from the header', (compression) => {
  const file = changed((head) => head.writeUInt32LE(compression, 30))

  expect([isBmpHead(file), isCompressedBmp(file), isCompressedBmp(sound())]).toEqual([
    true,
    true,
    false,
  ])
})
