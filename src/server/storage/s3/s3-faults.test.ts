import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { ImageFiles } from '#server/core/intake/file-ports.ts'
import { type FaultyS3, startFaultyS3 } from '#testing/engines/faulty-s3.ts'
import { openStore } from '#testing/engines/s3-store.ts'

const s3Url = inject('s3Url')

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const keep = async (files: ImageFiles, bytes: Uint8Array): Promise<string> => {
  const imageName = `${v7()}.png`
  const incoming = await files.receive(once(bytes), { maxBytes: 1e9 })
  await files.keep([{ incoming, imageName }])
  return imageName
}

let proxy: FaultyS3
beforeAll(async () => {
  proxy = await startFaultyS3(s3Url)
})
afterAll(() => proxy.close())

const open = () => openStore(proxy.url, { idleMs: 300 })

test.each(['refuse', 'lose'] as const)('repeats requests that it %ss', async (fault) => {
  const { files } = await open()
  const bytes = randomBytes(1000)

  proxy.fail(fault, { method: 'PUT', times: 1 })
  const imageName = await keep(files, bytes)

  expect(proxy.methods.filter((method) => method === 'PUT')).toHaveLength(2)
  expect(await files.stat(imageName)).toMatchObject({ bytes: 1000 })
})

test.each(['refuse', 'hang', 'lose'] as const)('refuses an upload if it %ss', async (fault) => {
  const failures: unknown[] = []
  const { files } = await openStore(proxy.url, {
    idleMs: 300,
    onFailure: (error) => failures.push(error),
  })

  proxy.fail(fault, { method: 'PUT' })
  await expect(keep(files, randomBytes(1000))).rejects.toMatchObject({ code: 'disk_error' })
  proxy.fail(fault, { times: 0 })

  expect(failures).not.toEqual([])
  expect(await files.listTemporaries()).toEqual([])
  const imageName = await keep(files, randomBytes(1000))
  expect(await files.stat(imageName)).toMatchObject({ bytes: 1000 })
})

test('stores no part of a large file if its last request fails', async () => {
  const { files, keys } = await open()

  proxy.fail('refuse', { method: 'POST' })
  const kept = keep(files, randomBytes(9_000_000))

  await expect(kept).rejects.toMatchObject({ code: 'disk_error' })
  proxy.fail('refuse', { times: 0 })
  expect(await keys()).toEqual([])
})

test.each(['cut', 'stall'] as const)('reports content that it %ss', async (fault) => {
  const { files, thumbnails } = await open()
  const imageName = await keep(files, randomBytes(1_000_000))
  await thumbnails.write(imageName, 384, randomBytes(10_000))

  proxy.fail(fault, { method: 'GET' })
  const content = files.read(imageName).then((file) => buffer(file?.content ?? missing()))
  await expect(content).rejects.toThrow()
  const failed = { code: 'disk_error' }
  await expect(files.local(imageName)).rejects.toMatchObject(failed)
  await expect(files.contentHash(imageName)).rejects.toMatchObject(failed)
  await expect(thumbnails.read(imageName, 384)).rejects.toMatchObject(failed)
  proxy.fail(fault, { times: 0 })

  expect(await files.listTemporaries()).toEqual([])
})

test('refuses to delete and to list while it fails', async () => {
  const { files } = await open()
  const imageName = await keep(files, randomBytes(10))

  proxy.fail('refuse')
  const failed = { code: 'disk_error' }
  await expect(files.remove([imageName])).rejects.toMatchObject(failed)
  await expect(files.hasAny()).rejects.toMatchObject(failed)
  await expect(files.duplicate(imageName)).rejects.toMatchObject(failed)
  proxy.fail('refuse', { times: 0 })

  expect(await files.stat(imageName)).not.toBeNull()
})

const missing = (): never => {
  throw new Error('the file is missing')
}
