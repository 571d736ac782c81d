import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ModelNews } from '#server/core/models/model-ports.ts'
import { modelFile } from '#testing/models/model-file.ts'
import { multiplyingOnnx } from '#testing/models/onnx-file.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { LoadedModels } from './loaded-models.ts'

let folder: string
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => removeFolder(folder))

/** Writes a model file of a little more than 10,000 bytes. */
const written = async (name: string, modifiedMs = 0) => {
  const path = join(folder, `${name}.onnx`)
  const bytes = multiplyingOnnx(1, { weights: 10_000 })
  await writeFile(path, bytes)
  return { ...modelFile(path, bytes.length, modifiedMs), name }
}

/** Opens a budget for two such models. */
const open = () => {
  const reported: string[] = []
  const nameOf = (key: string) => key.split('/').at(-1)?.replace('.onnx', '')
  const report = (news: ModelNews) => {
    const keys = 'keys' in news ? news.keys : 'key' in news ? [news.key] : []
    reported.push(`${news.what} ${keys.map(nameOf)}`)
  }
  return { loaded: new LoadedModels(25_000, report), reported }
}

const nothing = async () => undefined

test('never evicts a model in use', async () => {
  const { loaded, reported } = open()
  const [a, b, c] = [await written('a'), await written('b'), await written('c')]

  await loaded.use(a, async () => {
    await loaded.use(b, nothing)
    await loaded.use(c, nothing)
    await loaded.empty()
  })

  expect(reported.filter((line) => line.startsWith('left'))).toEqual(['left b', 'left c'])
})

test('has evicted the models when a second request to empty it ends', async () => {
  const { loaded, reported } = open()
  await loaded.use(await written('a'), nothing)

  void loaded.empty()
  await loaded.empty()

  expect(reported).toContain('left a')
})

test('refuses to load a model when all others are in use', async () => {
  const { loaded } = open()
  const [a, b, c] = [await written('a'), await written('b'), await written('c')]

  const refused = loaded.use(a, () => loaded.use(b, () => loaded.use(c, nothing)))

  await expect(refused).rejects.toThrow('The model c needs')
})

test('reloads a changed file', async () => {
  const { loaded, reported } = open()

  await loaded.use(await written('a', 1), nothing)
  await loaded.use(await written('a', 1), nothing)
  await loaded.use(await written('a', 2), nothing)

  expect(reported).toEqual(['loading a', 'loaded a', 'used a', 'left a', 'loading a', 'loaded a'])
})

test('loads a changed file in addition while the old model is in use', async () => {
  const { loaded, reported } = open()

  const sameAfter = await loaded.use(await written('a', 1), async (session) => {
    await loaded.use(await written('a', 2), nothing)
    return session.inputNames
  })
  await loaded.use(await written('a', 2), nothing)

  expect(sameAfter).toEqual(['input'])
  expect(reported).toEqual(['loading a', 'loaded a', 'loading a', 'loaded a', 'used a'])
})

test('loads a model once for concurrent users', async () => {
  const { loaded, reported } = open()
  const a = await written('a')

  await Promise.all([loaded.use(a, nothing), loaded.use(a, nothing)])

  expect(reported).toEqual(['loading a', 'loaded a', 'used a'])
})

test('loads the next model after a failure', async () => {
  const { loaded, reported } = open()
  const gone = modelFile(join(folder, 'gone.onnx'), 10)

  await expect(loaded.use(gone, nothing)).rejects.toMatchObject({
    type: 'ModelLoadError',
    message: expect.stringContaining('The model gone cannot be loaded'),
  })
  await loaded.use(await written('a'), nothing)

  expect(reported).toEqual(['loading gone', 'loading a', 'loaded a'])
})
