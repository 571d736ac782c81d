import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { ImageFiles } from '#server/core/intake/file-ports.ts'

const PLENTY = { maxBytes: 10_000_000 }

async function* chunksOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

const imageNames = async (files: ImageFiles): Promise<string[]> =>
  (await Array.fromAsync(files.list())).flatMap(({ imageNames }) => imageNames).sort()

const bytesOf = async (content: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(content))

/** Tests that every implementation of `ImageFiles` must pass, each with its own `open`. */
export const testImageFiles = (open: () => Promise<ImageFiles>): void => {
  const keepOne = async (files: ImageFiles, bytes = randomBytes(100)): Promise<string> => {
    const imageName = `${v7()}.png`
    await files.keep([{ incoming: await files.receive(chunksOf(bytes), PLENTY), imageName }])
    return imageName
  }

  test('reads back a stored file regardless of the chunks it arrived in', async () => {
    const files = await open()
    const bytes = randomBytes(2_500_000)
    const imageName = `${v7()}.webp`

    const incoming = await files.receive(
      chunksOf(bytes.subarray(0, 3), bytes.subarray(3, 1_900_000), bytes.subarray(1_900_000)),
      PLENTY,
    )
    await files.keep([{ incoming, imageName }])

    expect(incoming.bytes).toBe(bytes.length)
    expect((await bytesOf(files.read(imageName))).equals(bytes)).toBe(true)
  })

  test('computes the SHA-256 of the received bytes', async () => {
    const files = await open()

    const incoming = await files.receive(chunksOf(Buffer.from('abc')), PLENTY)

    expect(incoming.contentHash).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })

  test('does not list a received file without a name, and removes it when discarded', async () => {
    const files = await open()
    const incoming = await files.receive(chunksOf(randomBytes(10)), PLENTY)

    expect(await imageNames(files)).toEqual([])
    await files.discard(incoming)
    expect(await files.sweepTemporaries()).toBe(0)
  })

  test('refuses a file over the limit while it is received, and leaves no temporary file', async () => {
    const files = await open()
    let chunks = 0
    async function* endless() {
      for (;;) {
        chunks++
        yield new Uint8Array(1000)
      }
    }

    await expect(files.receive(endless(), { maxBytes: 5500 })).rejects.toMatchObject({
      code: 'file_too_large',
    })
    expect(chunks).toBe(6)
    expect(await files.sweepTemporaries()).toBe(0)
  })

  test('leaves no temporary file if the sender disconnects', async () => {
    const files = await open()
    async function* brokenOff() {
      yield new Uint8Array(1000)
      throw new Error('ECONNRESET')
    }

    await expect(files.receive(brokenOff(), PLENTY)).rejects.toMatchObject({
      code: 'upload_cut_off',
    })
    expect(await files.sweepTemporaries()).toBe(0)
  })

  test('lists each file in the folder of the last two digits of its id', async () => {
    const files = await open()
    const kept = [await keepOne(files), await keepOne(files), await keepOne(files)]

    expect(await imageNames(files)).toEqual(kept.toSorted())
    for await (const { folder, imageNames } of files.list()) {
      for (const name of imageNames) expect(name.slice(34, 36)).toBe(folder)
    }
  })

  test('removes a file, and ignores a second removal', async () => {
    const files = await open()
    const [gone, stays] = [await keepOne(files), await keepOne(files)]

    await files.remove([gone])
    await files.remove([gone])

    expect(await imageNames(files)).toEqual([stays])
  })

  test('duplicates a file; both copies have the same bytes and are removed independently', async () => {
    const files = await open()
    const bytes = randomBytes(100_000)
    const original = await keepOne(files, bytes)
    const copies = [`${v7()}.png`, `${v7()}.png`]

    for (const imageName of copies) {
      const incoming = await files.duplicate(original)
      if (incoming === null) throw new Error('the original is missing')
      await files.keep([{ incoming, imageName }])
    }
    await files.remove([original, copies[0] ?? ''])

    expect(await imageNames(files)).toEqual([copies[1]])
    expect((await bytesOf(files.read(copies[1] ?? ''))).equals(bytes)).toBe(true)
  })

  test('returns null for the duplicate of a missing file', async () => {
    const files = await open()

    expect(await files.duplicate(`${v7()}.png`)).toBeNull()
    expect(await files.sweepTemporaries()).toBe(0)
  })

  test('keeps a file that is set aside, but does not list it', async () => {
    const files = await open()
    const imageName = await keepOne(files)

    const path = await files.setAside(imageName)

    expect(await imageNames(files)).toEqual([])
    expect(path).toContain(imageName)
  })

  test.each([
    '../../etc/passwd',
    'a.png',
    '',
    '.',
    '018f0000-0000-7000-8000-0000000000ab.svg',
    '018f0000-0000-7000-8000-0000000000ab.png/..',
    '018f0000-0000-7000-8000-0000000000ab.png\0.jpg',
    '018F0000-0000-7000-8000-0000000000AB.png',
  ])('refuses to build a path from %j', async (name) => {
    const files = await open()

    expect(() => files.pathOf(name)).toThrow(expect.objectContaining({ code: 'image_not_found' }))
  })
}
