import { randomBytes } from 'node:crypto'
import { readdir, readlink, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { v7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { OriginalCheck } from '#server/core/images/original-check.ts'
import type { ImageFiles, Original, ZipEntry } from '#server/core/intake/file-ports.ts'
import { readStoredZip } from '#testing/library/read-stored-zip.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openImageFiles } from './image-files.ts'
import { imagePath } from './image-path.ts'
import { openZipArchives } from './zip-archives.ts'

const openBoth = async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const files = await openImageFiles({ dataFolder })
  const check = new OriginalCheck(files)
  const zips = await openZipArchives({ dataFolder, files, check })
  const pathOf = (imageName: string) => imagePath(join(dataFolder, 'images'), imageName)
  return { dataFolder, files, pathOf, zips }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const keep = async (files: ImageFiles, bytes: Uint8Array): Promise<Original> => {
  const imageName = `${v7()}.png`
  const incoming = await files.receive(once(bytes), { maxBytes: 1e9 })
  await files.keep([{ incoming, imageName }])
  return { image_name: imageName, file_size: bytes.length, content_hash: incoming.contentHash }
}

const collect = async (content: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the size of each entry by its name. */
const unpack = (zip: Buffer): Record<string, number> =>
  Object.fromEntries([...readStoredZip(zip)].map(([name, bytes]) => [name, bytes.length]))

const never = new AbortController().signal

test('streams a zip with every file complete under its entry name', async () => {
  const { files, zips } = await openBoth()
  const entries: ZipEntry[] = [
    { image: await keep(files, randomBytes(700_000)), entryName: 'Übung (1).png' },
    { image: await keep(files, randomBytes(10)), entryName: 'user/b.png' },
  ]

  const zip = await collect(zips.stream(entries))

  expect(unpack(zip)).toEqual({ 'Übung (1).png': 700_000, 'user/b.png': 10 })
})

test('leaves out missing and damaged images, and lists them in the zip', async () => {
  const { files, pathOf, zips } = await openBoth()
  const gone = await keep(files, randomBytes(10))
  const damaged = await keep(files, randomBytes(20))
  const whole = await keep(files, randomBytes(20))
  await unlink(pathOf(gone.image_name))
  await writeFile(pathOf(damaged.image_name), randomBytes(20))
  await utimes(pathOf(damaged.image_name), new Date(), new Date(Date.now() + 60_000))

  const zip = await collect(
    zips.stream([
      { image: gone, entryName: 'gone.png' },
      { image: damaged, entryName: 'damaged.png' },
      { image: whole, entryName: 'whole.png' },
      { image: whole, entryName: 'not included.TXT' },
    ]),
  )

  const { 'Not included (2).txt': list, ...included } = Object.fromEntries(readStoredZip(zip))
  expect(Object.keys(included)).toEqual(['whole.png', 'not included.TXT'])
  expect(String(list).split('\r\n').slice(3)).toEqual([
    'gone.png: The file is missing.',
    'damaged.png: The file is damaged.',
    '',
  ])
})

test('streams a valid zip without entries', async () => {
  const { zips } = await openBoth()

  expect(unpack(await collect(zips.stream([])))).toEqual({})
})

test('uses constant memory regardless of the size of the zip @long', async () => {
  const { files, zips } = await openBoth()
  const image = await keep(files, randomBytes(8_000_000))
  const entries = Array.from({ length: 25 }, (_, index) => ({
    image,
    entryName: `${index}.png`,
  }))
  const used = () => process.memoryUsage().arrayBuffers
  const before = used()

  let bytes = 0
  let most = 0
  for await (const chunk of zips.stream(entries)) {
    bytes += chunk.length
    most = Math.max(most, used() - before)
  }

  expect(bytes).toBeGreaterThan(200_000_000)
  expect(most).toBeLessThan(60_000_000)
})

test('closes all files if the reader disconnects', async () => {
  const { files, zips } = await openBoth()
  const image = await keep(files, randomBytes(5_000_000))
  const openFiles = async () => {
    const handles = await readdir('/dev/fd')
    return handles.length
  }
  const before = await openFiles()

  for (let time = 0; time < 5; time++) {
    for await (const _ of zips.stream([{ image, entryName: 'a.png' }])) break
  }

  await expect.poll(openFiles).toBeLessThanOrEqual(before)
})

test('closes a file that is being opened while the reader disconnects', async () => {
  const { files, pathOf, zips } = await openBoth()
  const image = await keep(files, randomBytes(5_000_000))
  const path = pathOf(image.image_name)
  const entries: ZipEntry[] = [{ image, entryName: 'a.png' }]
  const openFiles = async () => {
    const handles = await readdir('/proc/self/fd')
    const paths = handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => ''))
    return (await Promise.all(paths)).filter((open) => open === path)
  }

  for (let time = 0; time < 5; time++) (zips.stream(entries) as Readable).destroy()
  await collect(zips.stream(entries)) // by now the other streams have opened their files too

  await expect.poll(openFiles).toEqual([])
})

test('serves a written zip only once', async () => {
  const { dataFolder, files, zips } = await openBoth()
  const image = await keep(files, randomBytes(30))

  await zips.write('Trip_1.zip', [{ image, entryName: 'a.png' }], never)
  const first = await zips.take('Trip_1.zip')
  const second = await zips.take('Trip_1.zip')

  expect(second).toBeNull()
  const zip = await collect(first?.content ?? once(Buffer.alloc(0)))
  expect(zip.length).toBe(first?.bytes)
  expect(unpack(zip)).toEqual({ 'a.png': 30 })
  expect(await readdir(join(dataFolder, 'downloads'))).toEqual([])
})
