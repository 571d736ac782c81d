import { appendFile, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { blake3 } from 'hash-wasm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { HASH_PENDING } from '#contract/models/model.ts'
import type { ModelFiles } from '#server/core/models/model-ports.ts'
import { enlargingOnnx } from '#testing/models/onnx-file.ts'
import { safetensorsFile } from '#testing/models/safetensors-file.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openModelFiles } from './open-model-files.ts'

const fail = (error: unknown) => {
  throw error
}

const folders = async () => {
  const modelsFolder = await createTemporaryFolder()
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(modelsFolder))
  onTestFinished(() => removeFolder(dataFolder))
  return { modelsFolder, dataFolder }
}

const waiting = { timeout: 20_000, interval: 20 }

const untilHashed = (files: ModelFiles) =>
  vi.waitFor(async () => {
    const models = await files.list()
    expect(models.every(({ record }) => record.hash !== HASH_PENDING)).toBe(true)
    return models
  }, waiting)

test('reuses hashes and keys after a restart', async () => {
  const at = await folders()
  const path = join(at.modelsFolder, 'a.onnx')
  await writeFile(path, enlargingOnnx())
  const first = await openModelFiles({ ...at, onFailure: fail })
  const [before] = await untilHashed(first)
  await first.close()

  const second = await openModelFiles({ ...at, onFailure: fail })
  onTestFinished(() => second.close())

  expect(before?.record.hash).toBe(`blake3:${await blake3(enlargingOnnx())}`)
  const [after] = await second.list() // immediately: there is no time to hash a file
  expect(after).toEqual(before)
})

test('reads a header again only after the file has changed', async () => {
  const at = await folders()
  const path = join(at.modelsFolder, 'a.safetensors')
  const bytes = safetensorsFile({ 'double_blocks.0.img_attn.norm.key_norm.scale': [1] })
  const write = async (content: Uint8Array, seconds: number) => {
    await writeFile(path, content)
    await utimes(path, seconds, seconds)
  }
  const listed = async () => {
    const files = await openModelFiles({ ...at, onFailure: fail })
    const [model] = await untilHashed(files)
    await files.close()
    return model?.record
  }
  await write(bytes, 1)
  const before = await listed()

  await write(new Uint8Array(bytes.length), 1) // same size and time, so the change cannot be detected
  const same = await listed()
  await write(new Uint8Array(bytes.length), 2)
  const changed = await listed()

  expect(before).toMatchObject({ base: 'flux', fault: null })
  expect(same).toEqual(before)
  expect(changed).toMatchObject({ base: 'any', fault: expect.stringContaining('header') })
})

test('hashes a file again after it has changed', async () => {
  const at = await folders()
  const path = join(at.modelsFolder, 'a.onnx')
  await writeFile(path, enlargingOnnx(2))
  const first = await openModelFiles({ ...at, onFailure: fail })
  await untilHashed(first)
  await first.close()

  await writeFile(path, enlargingOnnx(3)) // same length
  await utimes(path, 1, 1)
  const second = await openModelFiles({ ...at, onFailure: fail })
  onTestFinished(() => second.close())

  const [after] = await untilHashed(second)
  expect(after?.record.hash).toBe(`blake3:${await blake3(enlargingOnnx(3))}`)
})

test('deletes the hash of a removed file, even if it was removed while stopped', async () => {
  const at = await folders()
  const path = (name: string) => join(at.modelsFolder, name)
  const cachedNames = async () => {
    const text = await readFile(join(at.dataFolder, 'models.json'), 'utf8')
    return Object.keys(JSON.parse(text).models).toSorted()
  }
  for (const name of ['a.onnx', 'b.onnx', 'c.onnx']) await writeFile(path(name), enlargingOnnx())
  const first = await openModelFiles({ ...at, onFailure: fail })
  await untilHashed(first)
  await rm(path('a.onnx'))
  await vi.waitFor(async () => expect(await first.list()).toHaveLength(2), waiting)
  await first.close()
  expect(await cachedNames()).toEqual(['b.onnx', 'c.onnx'])

  await rm(path('b.onnx'))
  const second = await openModelFiles({ ...at, onFailure: fail })
  await second.list()
  await second.close()

  expect(await cachedNames()).toEqual(['c.onnx'])
})

test('ignores a damaged cache file and hashes the models again', async () => {
  const at = await folders()
  await writeFile(join(at.modelsFolder, 'a.onnx'), enlargingOnnx())
  await writeFile(join(at.dataFolder, 'models.json'), '{"readers":1,"models":{"a.onnx":')
  const files = await openModelFiles({ ...at, onFailure: fail })
  onTestFinished(() => files.close())

  expect(await untilHashed(files)).toHaveLength(1)
})

test('waits for a file that is still being copied', async () => {
  const at = await folders()
  const files = await openModelFiles({ ...at, onFailure: fail, settleMs: 1_000 })
  onTestFinished(() => files.close())
  await files.list()
  const bytes = enlargingOnnx()
  const seen = new Set<string | null | undefined>()
  const look = async () => {
    for (const { record } of await files.list()) seen.add(record.fault)
  }

  const path = join(at.modelsFolder, 'a.onnx')
  await writeFile(path, '')
  for (const byte of bytes) {
    await appendFile(path, Uint8Array.of(byte))
    await look()
  }
  await vi.waitFor(async () => {
    await look()
    expect(seen.size).toBe(1)
  }, waiting)

  expect([...seen]).toEqual([null])
})

test('lists a file that is moved into the folder', async () => {
  const at = await folders()
  const files = await openModelFiles({ ...at, onFailure: fail, settleMs: 100 })
  onTestFinished(() => files.close())
  const elsewhere = join(at.dataFolder, 'a.part')
  await writeFile(elsewhere, enlargingOnnx())
  await rename(elsewhere, join(at.modelsFolder, 'a.onnx'))

  await vi.waitFor(async () => expect(await files.list()).toHaveLength(1), waiting)
})
