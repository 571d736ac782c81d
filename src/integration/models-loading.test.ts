import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import type { NodeOutput } from '#contract/queue/graph.ts'
import { graphOf } from '#testing/graph-of.ts'
import { countingOnnx, enlargingOnnx, multiplyingOnnx } from '#testing/models/onnx-file.ts'
import { safetensorsFile } from '#testing/models/safetensors-file.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openQueue, type QueueServer } from './queue-server.ts'

const start = async (files: Record<string, Uint8Array>, modelMemoryBytes = 1_000_000) => {
  const modelsFolder = await createTemporaryFolder()
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(join(modelsFolder, name), bytes)
  }
  const server = await openQueue({ modelsFolder, modelMemoryBytes })
  onTestFinished(async () => {
    await server.close()
    await removeFolder(modelsFolder)
  })
  const keyOf = async (name: string): Promise<string> => {
    const [model] = await server.client.models.list({ modelName: name })
    if (model === undefined) throw new Error(`there is no model ${name}`)
    return model.key
  }
  return { server, modelsFolder, keyOf }
}

/** The model loads that a server reported. */
const loadsOf = ({ recorded }: QueueServer): string[] =>
  recorded.flatMap(({ event, data }) =>
    'config' in data ? [`${event} ${data.config.name} for ${data.user_id}`] : [],
  )

test('loads a model, reports and counts it, and unloads it', async () => {
  const { server, keyOf } = await start({ 'up.onnx': enlargingOnnx() })
  const key = await keyOf('up')

  expect(await server.client.models.load(key)).toMatchObject({ key, name: 'up' })
  await server.client.models.load(key)
  const loaded = await server.client.models.stats()
  await server.client.models.emptyCache()

  const bytes = enlargingOnnx().length
  expect(loadsOf(server)).toEqual([
    'model_load_started up for system',
    'model_load_complete up for system',
  ])
  expect(loaded).toEqual({
    hits: 1,
    misses: 1,
    high_watermark: bytes,
    in_cache: 1,
    cleared: 0,
    cache_size: 1_000_000,
    loaded_model_sizes: { [key]: bytes },
  })
  expect(await server.client.models.stats()).toMatchObject({
    in_cache: 0,
    cleared: 1,
    loaded_model_sizes: {},
  })
})

test('evicts the least recently used model to stay within the budget', async () => {
  const files = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [`${name}.onnx`, multiplyingOnnx(1, { weights: 40_000 })]),
  )
  const { server, keyOf } = await start(files, 100_000)
  const [a, b, c] = [await keyOf('a'), await keyOf('b'), await keyOf('c')]

  for (const key of [a, b, a, c]) await server.client.models.load(key)

  const stats = await server.client.models.stats()
  expect(stats?.cleared).toBe(1)
  expect(Object.keys(stats?.loaded_model_sizes ?? {}).sort()).toEqual([a, c].sort())
})

test('rejects a model that cannot be loaded, with the reason', async () => {
  const { server, keyOf } = await start(
    {
      'ink.safetensors': safetensorsFile({ 'a.lora_down.weight': [4] }),
      'cut.onnx': enlargingOnnx().subarray(0, -20),
      'nonsense.onnx': withUnknownOperator(),
      'large.onnx': multiplyingOnnx(1, { weights: 200_000 }),
    },
    100_000,
  )
  const refusalOf = async (key: string) =>
    server.client.models.load(key).catch((error: unknown) => error)

  expect(await refusalOf('nothing')).toMatchObject({ code: 'model_not_found', status: 404 })
  expect(await refusalOf(await keyOf('ink'))).toMatchObject({
    code: 'model_format_not_supported',
    status: 415,
    message: expect.stringContaining('an InvokeAI server can load this one'),
  })
  expect(await refusalOf(await keyOf('cut'))).toMatchObject({
    code: 'model_load_failed',
    message: expect.stringContaining('its end is missing'),
  })
  expect(await refusalOf(await keyOf('nonsense'))).toMatchObject({
    code: 'model_load_failed',
    message: expect.stringContaining('The model nonsense cannot be loaded'),
  })
  expect(await refusalOf(await keyOf('large'))).toMatchObject({
    code: 'model_load_failed',
    message: expect.stringContaining('(--model-memory)'),
  })
  expect(await server.client.models.stats()).toMatchObject({ in_cache: 0, hits: 0 })
})

/** The replacement has the same length, so that only the operator is wrong. */
const withUnknownOperator = (): Buffer => {
  const bytes = enlargingOnnx()
  bytes.write('Rezise', bytes.indexOf('Resize'))
  return bytes
}

const red = async (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 10 } } })
    .png()
    .toBuffer()

test('runs a model by its name in a queued graph and reports its loads', async () => {
  const { server } = await start({ 'up.onnx': enlargingOnnx(3) })
  const { boards, images } = server.client
  const board = await boards.createBoard('Large')
  const image = await board.uploadImageData(new Uint8Array(await red(20, 10)))
  const node = {
    type: 'onnx_image',
    image: { image_name: image.image_name },
    model: { key: 'up' },
    tile_size: 16,
    overlap: 4,
  }

  await server.enqueue({ graph: graphOf({ node }), runs: 2 })
  await server.event('session_complete')
  const { result } = await server.event('invocation_complete')

  expect(server.lines().slice(2, 8)).toEqual([
    'invocation_started node',
    'model_load_started',
    'model_load_complete',
    'invocation_progress node',
    'invocation_progress node',
    'invocation_progress node',
  ])
  const { image_name } = (result as NodeOutput).image as { image_name: string }
  expect(await images.get(image_name)).toMatchObject({ width: 60, height: 30 })
})

test('fails a queued graph whose model cannot run, with the reason', async () => {
  const { server } = await start({
    'ink.safetensors': safetensorsFile({ 'a.lora_down.weight': [4] }),
    'count.onnx': countingOnnx(),
  })
  const board = await server.client.boards.createBoard('Small')
  const image = await board.uploadImageData(new Uint8Array(await red(4, 4)))
  const errorWith = async (key: string) => {
    const node = { type: 'onnx_image', image: { image_name: image.image_name }, model: { key } }
    const [itemId] = await server.enqueue({ graph: graphOf({ node }) })
    return server.event('invocation_error', ({ item_id }) => item_id === itemId)
  }

  for (const [key, type, words] of [
    ['nothing', 'UnknownModelException', 'There is no model nothing.'],
    ['ink', 'ModelLoadError', 'This server loads ONNX models only'],
    ['count', 'ValueError', 'this node needs one that takes 1x3xHxW'],
  ] as const) {
    expect(await errorWith(key), key).toMatchObject({
      error_type: type,
      error_message: expect.stringContaining(words),
    })
  }
})

test('cancels a run between two tiles, and reloads the model if needed @long', async () => {
  const { server } = await start({ 'up.onnx': enlargingOnnx() })
  const board = await server.client.boards.createBoard('Large')
  const image = await board.uploadImageData(new Uint8Array(await red(1000, 1000)))
  const node = {
    type: 'onnx_image',
    image: { image_name: image.image_name },
    model: { key: 'up' },
    tile_size: 16,
    overlap: 0,
  }
  const [itemId = 0] = await server.enqueue({ graph: graphOf({ node }) })
  await server.event('invocation_progress')

  await server.client.queue.cancel(itemId)

  expect(await server.event('session_complete')).toMatchObject({ status: 'canceled' })
  await server.enqueue({ graph: graphOf({ node: { ...node, tile_size: 512 } }) })
  await server.event('session_complete', ({ status }) => status === 'completed')
})
