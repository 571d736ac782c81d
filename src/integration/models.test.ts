import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { blake3 } from 'hash-wasm'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { ModelRecord } from '#contract/models/model.ts'
import { ggufFile } from '#testing/models/gguf-file.ts'
import { enlargingOnnx } from '#testing/models/onnx-file.ts'
import { safetensorsFile } from '#testing/models/safetensors-file.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Api, openApi } from './open-api.ts'

const ink = safetensorsFile(
  { 'lora_te2_text_model_q.lora_down.weight': [4, 8] },
  { ss_network_module: 'networks.lora', ss_base_model_version: 'sdxl_base_v1-0' },
)

const files = {
  'ink.safetensors': ink,
  'flux1.gguf': ggufFile({ 'general.architecture': 'flux' }, { 'double_blocks.0.w': [4] }),
  'upscale.onnx': enlargingOnnx(),
  'half.safetensors': safetensorsFile({ a: [100] }).subarray(0, 90),
  'notes.txt': Buffer.from('no model'),
}

const folderOf = async (of: Record<string, Uint8Array>): Promise<string> => {
  const modelsFolder = await createTemporaryFolder()
  for (const [name, bytes] of Object.entries(of)) {
    await writeFile(join(modelsFolder, name), bytes)
  }
  return modelsFolder
}

/** Server for the tests that change nothing. */
let shared: Api
beforeAll(async () => {
  const modelsFolder = await folderOf(files)
  shared = await openApi({ modelsFolder })
  return async () => {
    await shared.close()
    await removeFolder(modelsFolder)
  }
})

const openEmpty = async () => {
  const modelsFolder = await folderOf({})
  const api = await openApi({ modelsFolder })
  onTestFinished(async () => {
    await api.close()
    await removeFolder(modelsFolder)
  })
  return { api, modelsFolder }
}

const listOf = async (api: Api, query = '', path = '/api/v2/models/'): Promise<ModelRecord[]> => {
  const { status, body } = await api.send('GET', `${path}${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as { models: ModelRecord[] }).models
}

const namesOf = async (api: Api, query: string): Promise<string[]> =>
  (await listOf(api, query)).map(({ name }) => name)

/** Waits until the list has these names. */
const untilListed = (api: Api, names: readonly string[]) =>
  vi.waitFor(async () => expect(await namesOf(api, '')).toEqual(names), {
    timeout: 20_000,
    interval: 50,
  })

const untilHashed = (api: Api): Promise<ModelRecord[]> =>
  vi.waitFor(
    async () => {
      const models = await listOf(api)
      expect(models.filter(({ hash }) => hash === 'blake3:pending')).toEqual([])
      return models
    },
    { timeout: 20_000, interval: 50 },
  )

test('lists a folder by name on both paths, with broken files last', async () => {
  const models = await untilHashed(shared)

  expect(models.map(({ name, base, type, format }) => [name, base, type, format])).toEqual([
    ['flux1', 'flux', 'main', 'gguf_quantized'],
    ['ink', 'sdxl', 'lora', 'lycoris'],
    ['upscale', 'any', 'onnx', 'onnx'],
    ['half', 'any', 'main', 'checkpoint'],
  ])
  expect(await listOf(shared, '', '/api/v1/models/')).toEqual(models)
})

test('returns every field of a record that clients of InvokeAI 6.8 read', async () => {
  const [, lora, , half] = await untilHashed(shared)

  const hash = `blake3:${await blake3(ink)}`
  const key = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(lora).toEqual({
    key,
    hash,
    path: 'ink.safetensors',
    file_size: ink.length,
    name: 'ink',
    description: '',
    source: 'ink.safetensors',
    source_type: 'path',
    source_api_response: null,
    source_url: null,
    cover_image: null,
    base: 'sdxl',
    type: 'lora',
    format: 'lycoris',
    fault: null,
  })
  const wrong = 'The file is cut off: its end is missing.'
  expect(half).toMatchObject({ description: wrong, fault: wrong, source: 'half.safetensors' })
})

test.each([
  ['?base_models=flux&base_models=sdxl', ['flux1', 'ink']],
  ['?model_type=lora', ['ink']],
  ['?model_name=half', ['half']],
  ['?model_format=onnx', ['upscale']],
  ['?model_type=vae', []],
  ['?order_by=size&direction=DESC', ['upscale', 'ink', 'flux1', 'half']],
  ['?order_by=type', ['ink', 'flux1', 'upscale', 'half']],
  ['?order_by=default', ['ink', 'flux1', 'upscale', 'half']],
])('accepts the list filter %s', async (query, names) => {
  expect(await namesOf(shared, query)).toEqual(names)
})

test('rejects a value that InvokeAI does not know', async () => {
  const { status, body } = await shared.send('GET', '/api/v2/models/?model_type=LORA')

  expect(status).toBe(422)
  expect(body).toMatchObject({ detail: [{ type: 'enum', loc: ['query', 'model_type'] }] })
})

test('finds a model by key on both paths, by attributes and by hash', async () => {
  const model = (await untilHashed(shared)).find(({ name }) => name === 'ink')
  const { key, hash } = model ?? {}

  const answers = await Promise.all(
    [
      `/api/v1/models/i/${key}`,
      `/api/v2/models/i/${key}`,
      '/api/v2/models/get_by_attrs?name=ink&type=lora&base=sdxl',
      `/api/v2/models/get_by_hash?hash=${hash}`,
    ].map((path) => shared.send('GET', path)),
  )

  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: model })
})

test.each([
  '/api/v1/models/i/nothing',
  '/api/v2/models/i/nothing',
  '/api/v2/models/get_by_attrs?name=ink&type=vae&base=sdxl',
  '/api/v2/models/get_by_hash?hash=blake3:00',
  '/api/v2/models/get_by_hash?hash=blake3:pending',
])('answers 404 for %s', async (path) => {
  expect(await shared.send('GET', path)).toMatchObject({
    status: 404,
    body: { detail: 'model not found' },
  })
})

test('lists no models without a models folder', async () => {
  const api = await openApi()
  onTestFinished(api.close)

  expect(await listOf(api)).toEqual([])
  expect((await api.send('GET', '/api/v2/models/missing')).body).toEqual({ models: [] })
  expect((await api.send('GET', '/api/v2/models/install')).body).toEqual([])
  expect((await api.send('GET', '/api/v2/models/hf_login')).body).toBe('unknown')
})

test('detects new, renamed, changed and deleted files', async () => {
  const { api, modelsFolder } = await openEmpty()
  const at = (name: string) => join(modelsFolder, name)

  await mkdir(at('deep'))
  await writeFile(at('deep/a.onnx'), enlargingOnnx())
  await untilListed(api, ['a'])
  const [first] = await untilHashed(api)
  expect(first).toMatchObject({ path: 'deep/a.onnx' })

  await rename(at('deep/a.onnx'), at('b.onnx'))
  await untilListed(api, ['b'])

  await writeFile(at('b.onnx'), 'no model at all')
  await vi.waitFor(
    async () => expect((await listOf(api))[0]?.fault).toContain('This is no ONNX file'),
    { timeout: 20_000, interval: 50 },
  )

  await rm(at('b.onnx'))
  await untilListed(api, [])
})

test('does not follow links', async () => {
  const elsewhere = await createTemporaryFolder()
  onTestFinished(() => removeFolder(elsewhere))
  await writeFile(join(elsewhere, 'secret.onnx'), enlargingOnnx())
  const { api, modelsFolder } = await openEmpty()
  await symlink(join(elsewhere, 'secret.onnx'), join(modelsFolder, 'linked.onnx'))
  await symlink(elsewhere, join(modelsFolder, 'folder'))
  await writeFile(join(modelsFolder, 'own.onnx'), enlargingOnnx())

  await untilListed(api, ['own'])
})

test('reports a missing folder at the start in one line', async () => {
  await expect(openApi({ modelsFolder: '/nowhere' })).rejects.toThrow(
    'The models in /nowhere cannot be read.',
  )
})
