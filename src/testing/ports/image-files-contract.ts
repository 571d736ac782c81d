import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { ByteRange, ImageFiles, StoredFile } from '#server/core/intake/file-ports.ts'

const PLENTY = { maxBytes: 10_000_000 }

async function* chunksOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

const imageNames = async (files: ImageFiles): Promise<string[]> =>
  (await Array.fromAsync(files.list())).flatMap(({ imageNames }) => imageNames).sort()

const contentOf = (file: StoredFile | null): Promise<Buffer> => {
  if (file === null) throw new Error('the file is missing')
  return buffer(file.content)
}

const readBytes = async (files: ImageFiles, imageName: string) =>
  contentOf(await files.read(imageName))

const readPart = async (files: ImageFiles, imageName: string, range: ByteRange) => {
  const part = await files.readPart(imageName, range)
  return part && Buffer.from(part instanceof Uint8Array ? part : await buffer(part))
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

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
    expect((await readBytes(files, imageName)).equals(bytes)).toBe(true)
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

  test('reads parts of a file', async () => {
    const files = await open()
    const bytes = randomBytes(1_000_000)
    const imageName = await keepOne(files, bytes)

    const parts = [
      [0, 0],
      [999_990, 999_999],
      [100, 262_243],
      [100, 262_244],
      [0, 999_999],
    ] as const
    for (const [start, end] of parts) {
      const part = await readPart(files, imageName, { start, end })
      expect(part?.equals(bytes.subarray(start, end + 1))).toBe(true)
    }
    await files.remove([imageName])
    expect(await readPart(files, imageName, { start: 0, end: 9 })).toBeNull()
  })

  test('describes a file by its size, date and hash', async () => {
    const files = await open()
    const bytes = randomBytes(1000)
    const imageName = await keepOne(files, bytes)

    const { modifiedAt = 0 } = (await files.stat(imageName)) ?? {}
    expect(await files.stat(imageName)).toMatchObject({ bytes: 1000 })
    expect(Math.abs(modifiedAt - Date.now())).toBeLessThan(60_000)
    expect(await files.contentHash(imageName)).toBe(sha256(bytes))
  })

  test('describes an opened file, and finishes reading it after it was removed', async () => {
    const files = await open()
    const bytes = randomBytes(3_000_000)
    const imageName = await keepOne(files, bytes)

    const opened = await files.read(imageName)
    await files.remove([imageName])

    expect(opened?.bytes).toBe(bytes.length)
    expect(opened?.modifiedAt).toBeGreaterThan(0)
    expect((await contentOf(opened)).equals(bytes)).toBe(true)
  })

  test('gives a file a local path for a while', async () => {
    const files = await open()
    const bytes = randomBytes(1000)
    const imageName = await keepOne(files, bytes)

    const [one, another] = [await files.local(imageName), await files.local(imageName)]
    await one?.[Symbol.asyncDispose]()
    expect(await readFile(another?.path ?? '')).toEqual(bytes)
    await another?.[Symbol.asyncDispose]()

    expect((await readBytes(files, imageName)).equals(bytes)).toBe(true)
    expect(await files.listTemporaries()).toEqual([])
  })

  test('finds nothing under an unused name', async () => {
    const files = await open()
    const imageName = `${v7()}.png`

    expect(await files.read(imageName)).toBeNull()
    expect(await files.stat(imageName)).toBeNull()
    expect(await files.local(imageName)).toBeNull()
    await expect(files.contentHash(imageName)).rejects.toThrow()
    expect(await files.listTemporaries()).toEqual([])
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
    expect((await readBytes(files, copies[1] ?? '')).equals(bytes)).toBe(true)
  })

  test('returns null for the duplicate of a missing file', async () => {
    const files = await open()

    expect(await files.duplicate(`${v7()}.png`)).toBeNull()
    expect(await files.sweepTemporaries()).toBe(0)
  })

  test('keeps a file that is set aside, but does not list it', async () => {
    const files = await open()
    const bytes = randomBytes(100)
    const imageName = await keepOne(files, bytes)

    const path = await files.setAside(imageName)

    expect(await imageNames(files)).toEqual([])
    expect(await files.stat(imageName)).toBeNull()
    expect(path).toContain(imageName)
    const [file, ...others] = await files.listSetAside()
    if (file === undefined) throw new Error('nothing was set aside')
    expect([file.imageName, others]).toEqual([imageName, []])
    expect(await files.setAsideHash(file)).toBe(sha256(bytes))
  })

  test('takes back a file, but never replaces another one', async () => {
    const files = await open()
    const imageName = await keepOne(files, Buffer.from('old'))
    await files.setAside(imageName)
    const [file] = await files.listSetAside()
    if (file === undefined) throw new Error('nothing was set aside')

    await files.takeBack(file)
    expect(String(await readBytes(files, imageName))).toBe('old')
    expect(await files.listSetAside()).toEqual([])

    await files.setAside(imageName)
    await files.keep([
      { incoming: await files.receive(chunksOf(Buffer.from('new')), PLENTY), imageName },
    ])
    for (const aside of await files.listSetAside()) await files.takeBack(aside)
    expect(String(await readBytes(files, imageName))).toBe('new')
    expect(await files.listSetAside()).toHaveLength(1)
  })

  test('knows whether there is any file', async () => {
    const files = await open()

    expect(await files.hasAny()).toBe(false)
    await keepOne(files)
    expect(await files.hasAny()).toBe(true)
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

    for (const work of [files.stat, files.read, files.local, files.setAside, files.duplicate]) {
      await expect(work(name)).rejects.toMatchObject({ code: 'image_not_found' })
    }
    await expect(files.remove([name])).rejects.toMatchObject({ code: 'image_not_found' })
  })
}
