import { createHash, randomBytes } from 'node:crypto'
import { appendFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { v7 } from 'uuid'
import { expect, inject, test } from 'vitest'
import type { ImageFiles, PendingFiles } from '#server/core/intake/file-ports.ts'
import { openStore } from '#testing/engines/s3-store.ts'
import { testImageFiles } from '#testing/ports/image-files-contract.ts'

const s3Url = inject('s3Url')

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const receive = (files: ImageFiles, bytes: Uint8Array) =>
  files.receive(once(bytes), { maxBytes: 1e9 })

const keep = async (files: ImageFiles, bytes: Uint8Array, imageName = `${v7()}.png`) => {
  await files.keep([{ incoming: await receive(files, bytes), imageName }])
  return imageName
}

const bytesOf = async (files: ImageFiles, imageName: string): Promise<Buffer> => {
  const file = await files.read(imageName)
  if (file === null) throw new Error(`${imageName} is missing`)
  return buffer(file.content)
}

/** Records its calls, for the order of writes. */
const notingPending = (onAdd: (imageNames: readonly string[]) => Promise<void>): PendingFiles => ({
  add: onAdd,
  sweep: async () => [],
  endSweep: async () => undefined,
})

testImageFiles(async () => (await openStore(s3Url)).files)

test('stores objects under the paths of a data folder', async () => {
  const { bucket, keys, files } = await openStore(s3Url)
  const imageName = await keep(files, randomBytes(10))

  expect(await keys()).toEqual([`${bucket.prefix}images/${imageName.slice(34, 36)}/${imageName}`])
})

test('stores a large file in parts, with the SHA-256 of the whole', async () => {
  const { files } = await openStore(s3Url)
  const bytes = randomBytes(20_000_000)

  const imageName = await keep(files, bytes)

  const contentHash = createHash('sha256').update(bytes).digest('hex')
  expect(await files.stat(imageName)).toMatchObject({ bytes: bytes.length, contentHash })
  expect((await bytesOf(files, imageName)).equals(bytes)).toBe(true)
  expect(await files.listTemporaries()).toEqual([])
})

test.each([1_000, 10_000_000])('stores nothing if %d staged bytes changed', async (size) => {
  const { keys, files } = await openStore(s3Url)
  const bytes = randomBytes(size)
  const incoming = await receive(files, bytes)
  await writeFile(incoming.path, randomBytes(size))

  const kept = files.keep([{ incoming, imageName: `${v7()}.png` }])

  await expect(kept).rejects.toMatchObject({ code: 'disk_error' })
  expect(await keys()).toEqual([])
  expect(await files.listTemporaries()).toEqual([])
})

test('stores nothing if a staged file became longer', async () => {
  const { keys, files } = await openStore(s3Url)
  const incoming = await receive(files, randomBytes(10_000_000))
  await appendFile(incoming.path, 'x')

  const kept = files.keep([{ incoming, imageName: `${v7()}.png` }])

  await expect(kept).rejects.toMatchObject({ code: 'disk_error' })
  expect(await keys()).toEqual([])
})

test('accepts the same file again, but never replaces one', async () => {
  const { files } = await openStore(s3Url)
  const bytes = randomBytes(100)
  const imageName = await keep(files, bytes)

  await keep(files, bytes, imageName)
  await expect(keep(files, randomBytes(100), imageName)).rejects.toMatchObject({
    code: 'disk_error',
  })

  expect((await bytesOf(files, imageName)).equals(bytes)).toBe(true)
})

test('announces all names before it stores the first object', async () => {
  const announced: { imageNames: readonly string[]; stored: unknown[] }[] = []
  const pending = notingPending(async (imageNames) => {
    const stored = await Promise.all(imageNames.map((name) => store.files.stat(name)))
    announced.push({ imageNames, stored })
  })
  const store = await openStore(s3Url, { pending })
  const [one, two] = [`${v7()}.png`, `${v7()}.png`]

  await store.files.keep([
    { incoming: await receive(store.files, randomBytes(10)), imageName: one },
    { incoming: await receive(store.files, randomBytes(10)), imageName: two },
  ])

  expect(announced).toEqual([{ imageNames: [one, two], stored: [null, null] }])
})

test('stores nothing if the names cannot be announced', async () => {
  const pending = notingPending(() => Promise.reject(new Error('no database')))
  const { keys, files } = await openStore(s3Url, { pending })

  await expect(keep(files, randomBytes(10))).rejects.toThrow()

  expect(await keys()).toEqual([])
  expect(await files.listTemporaries()).toEqual([])
})

test('removes more files than fit in one request', async () => {
  const { files } = await openStore(s3Url)
  const imageName = await keep(files, randomBytes(10))
  const others = Array.from({ length: 1_500 }, () => `${v7()}.png`)

  await files.remove([...others, imageName])

  expect(await files.hasAny()).toBe(false)
})

test('does not take foreign objects for images', async () => {
  const { bucket, files } = await openStore(s3Url)
  await bucket.put(`${bucket.prefix}images/notes.txt`, randomBytes(1), 'text/plain')
  const wrongFolder = `${bucket.prefix}images/00/${v7().slice(0, -2)}01.png`
  await bucket.put(wrongFolder, randomBytes(1), 'image/png')

  for await (const { imageNames } of files.list()) expect(imageNames).toEqual([])
})
