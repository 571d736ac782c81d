import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { testImageFiles } from '#testing/ports/image-files-contract.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openImageFiles } from './image-files.ts'
import { hashFile } from './whole-file.ts'

const openInFolder = async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  return { dataFolder, files: await openImageFiles({ dataFolder }) }
}

testImageFiles(async () => (await openInFolder()).files)

async function* numbered(bytes: number): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.alloc(65_536)
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    chunk.writeUInt32BE(sent)
    yield chunk
  }
}

test('receives 300 MB with a few megabytes of memory @long', async () => {
  const { files } = await openInFolder()
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed

  const incoming = await files.receive(numbered(300_000_000), { maxBytes: 400_000_000 })

  const { arrayBuffers, heapUsed } = process.memoryUsage()
  expect(incoming.bytes).toBeGreaterThanOrEqual(300_000_000)
  expect(await hashFile(incoming.path)).toBe(incoming.contentHash)
  expect(arrayBuffers + heapUsed - before).toBeLessThan(40_000_000)
})

test('names the limit in the refusal of a large file', async () => {
  const { files } = await openInFolder()

  await expect(files.receive(numbered(3e6), { maxBytes: 2 * 1024 * 1024 })).rejects.toThrow('2 MiB')
})

test('sweeps temporary files of an earlier run', async () => {
  const { dataFolder, files } = await openInFolder()
  await files.receive(numbered(10), { maxBytes: 1e6 })
  await files.receive(numbered(10), { maxBytes: 1e6 })

  expect(await (await openImageFiles({ dataFolder })).sweepTemporaries()).toBe(2)
  expect(await readdir(join(dataFolder, 'incoming'))).toEqual([])
})

test('neither lists nor changes foreign files in the images folder', async () => {
  const { dataFolder, files } = await openInFolder()
  await mkdir(join(dataFolder, 'images', '00'))
  const stranger = join(dataFolder, 'images', '00', '.DS_Store')
  await writeFile(stranger, 'mine')
  await writeFile(join(dataFolder, 'images', '00', `${v7().slice(0, -2)}01.png`), 'wrong folder')

  for await (const { imageNames } of files.list()) expect(imageNames).toEqual([])
  expect(await readFile(stranger, 'utf8')).toBe('mine')
})

test('keeps both files if a file is set aside twice', async () => {
  const { dataFolder, files } = await openInFolder()
  const imageName = `${v7()}.png`
  const keep = async () =>
    files.keep([{ incoming: await files.receive(numbered(1), { maxBytes: 1e6 }), imageName }])

  await keep()
  await files.setAside(imageName)
  await keep()
  await files.setAside(imageName)

  expect(await readdir(join(dataFolder, 'set-aside'))).toHaveLength(2)
})

test('reports the free space of the disk', async () => {
  const { files } = await openInFolder()

  expect(await files.freeBytes()).toBeGreaterThan(0)
})
