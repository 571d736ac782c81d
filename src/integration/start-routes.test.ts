import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_CLIENT_STATE_KEYS } from '#contract/limits.ts'
import { version } from '#server/start/version.ts'
import { startServer } from '#testing/server/start-server.ts'
import { type Api, openApi } from './open-api.ts'

/** Requests of InvokeAI's page at its start, and the client state that it stores. */

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const setState = (key: string, body: string, type = 'text/plain;charset=UTF-8', on = api) => {
  const path = `/api/v1/client_state/default/set_by_key?key=${encodeURIComponent(key)}`
  return on.send('POST', path, { body, headers: { 'content-type': type } })
}

const getState = async (key: string, on = api) =>
  on.send('GET', `/api/v1/client_state/default/get_by_key?key=${encodeURIComponent(key)}`)

test.each([
  ['app/app_deps', { invokeai: '6.14.2', tessera: version, node: process.versions.node }],
  ['app/patchmatch_status', false],
  ['app/logging', 20],
  ['videos/?limit=0', { limit: 0, offset: 0, total: 0, items: [] }],
  [
    'videos/?board_id=none&is_intermediate=false&limit=0&offset=0',
    { limit: 0, offset: 0, total: 0, items: [] },
  ],
  ['videos?limit=50&offset=3', { limit: 50, offset: 3, total: 0, items: [] }],
  ['workflows/counts_by_category?categories=user&categories=default', { user: 0, default: 0 }],
  ['workflows/?page=2&per_page=5', { page: 2, pages: 0, per_page: 5, total: 0, items: [] }],
  ['style_presets/', []],
  ['system_prompts/', []],
  ['app/generation_device_options', [{ device: 'cpu', name: 'CPU' }]],
  ['app/external_providers/config', []],
  ['app/external_providers/status', []],
  ['gallery/items/names', { items: [], starred_count: 0, total_count: 0 }],
  ['videos/', { limit: 10, offset: 0, total: 0, items: [] }],
])('answers %s', async (path, body) => {
  expect(await api.send('GET', `/api/v1/${path}`)).toMatchObject({ status: 200, body })
})

test('returns no model relationships', async () => {
  const related = (json: unknown) => api.send('POST', '/api/v1/model_relationships/batch', { json })

  expect(await related({ model_keys: ['a', 'b'] })).toMatchObject({ status: 200, body: [] })
  expect(await related({})).toMatchObject({ status: 422 })
})

test.each([
  ['POST', 'v1/app/logging', 'flags'],
  ['PATCH', 'v1/app/runtime_config', 'flags'],
  ['POST', 'v1/app/external_providers/config/openai', 'no external image services'],
  ['DELETE', 'v1/app/external_providers/config/openai', 'no external image services'],
  ['GET', 'v2/models/scan_folder?scan_path=/etc', 'Copy model files'],
  ['POST', 'v2/models/install?source=x', 'Copy model files'],
  ['DELETE', 'v2/models/i/some-key', 'Copy model files'],
  ['GET', 'v2/models/starter_models', 'does not download models'],
])('explains why %s %s is not supported', async (method, path, reason) => {
  const json = method === 'GET' ? {} : { json: { any: 'body' } }

  expect(await api.send(method, `/api/${path}`, json)).toMatchObject({
    status: 501,
    body: { detail: expect.stringMatching(new RegExp(`^Not implemented\\. .*${reason}`)) },
  })
})

test('returns the requested address in the configuration', async () => {
  const { port } = new URL(api.url)

  expect((await api.send('GET', '/api/v1/app/runtime_config')).body).toEqual({
    set_fields: [],
    config: { schema_version: '4.0.2', host: '127.0.0.1', port: Number(port), multiuser: false },
  })
})

test('echoes and returns a stored value until it is replaced', async () => {
  expect(await getState('canvas')).toMatchObject({ status: 200, body: null })

  const first = '{"width":512,"note":"ein „Wort“ 🐈"}'
  expect(await setState('canvas', first)).toMatchObject({ status: 200, body: first })
  expect(await getState('canvas')).toMatchObject({ status: 200, body: first })
  await setState('canvas', '')

  expect((await getState('canvas')).body).toBe('')
  expect((await getState('Canvas')).body).toBeNull()
})

test('accepts a JSON string as a value', async () => {
  expect((await setState('json', '"kept"', 'application/json')).body).toBe('kept')
  expect((await getState('json')).body).toBe('kept')
})

test('lists keys by prefix and deletes one or all of them', async () => {
  const own = await openApi()
  const state = '/api/v1/client_state/default'
  const keys = async (prefix: string) =>
    (await own.send('GET', `${state}/get_keys_by_prefix?prefix=${prefix}`)).body
  for (const key of ['b:2', 'a', 'b:1']) await setState(key, 'x', 'text/plain', own)

  expect(await keys('b:')).toEqual(['b:1', 'b:2'])
  expect(await keys('')).toEqual(['a', 'b:1', 'b:2'])
  for (const key of ['b:1', 'unknown']) {
    const deleted = await own.send('POST', `${state}/delete_by_key?key=${key}`)
    expect(deleted).toMatchObject({ status: 200, body: null })
  }
  expect(await keys('b')).toEqual(['b:2'])
  expect(await own.send('POST', `${state}/delete`)).toMatchObject({ status: 200, body: null })
  expect(await keys('')).toEqual([])
  expect((await getState('a', own)).body).toBeNull()
  await own.close()
})

test('keeps stored values after a restart', async () => {
  const server = await startServer()
  const address = `${server.url}/api/v1/client_state/default`
  await fetch(`${address}/set_by_key?key=params`, { method: 'POST', body: '{"steps":30}' })

  await server.restart()

  const answer = await fetch(`${address}/get_by_key?key=params`)
  expect(await answer.json()).toBe('{"steps":30}')
  await server.close()
})

test('limits the number of keys', async () => {
  const own = await openApi()
  for (let key = 1; key <= MAX_CLIENT_STATE_KEYS; key += 1) {
    await setState(`key ${key}`, 'x', 'text/plain', own)
  }

  expect(await setState('one more', 'x', 'text/plain', own)).toMatchObject({ status: 413 })
  expect(await setState('key 1', 'y', 'text/plain', own)).toMatchObject({ status: 200 })
  expect((await getState('one more', own)).body).toBeNull()
  await own.close()
})

test('rejects invalid keys and values', async () => {
  const path = '/api/v1/client_state/default/set_by_key'
  const json = 'application/json'

  expect(await setState('long', 'x'.repeat(4 * 1024 * 1024 + 1))).toMatchObject({ status: 413 })
  expect(await setState('x'.repeat(201), 'x')).toMatchObject({ status: 422 })
  expect(await setState('object', '{"a":1}', json)).toMatchObject({ status: 422 })
  expect(await setState('nothing', '', json)).toMatchObject({ status: 422 })
  expect(await api.send('POST', path, { body: 'x' })).toMatchObject({ status: 422 })
  expect(await api.send('GET', '/api/v1/client_state/default/get_by_key')).toMatchObject({
    status: 422,
  })
})

test('reads text bodies on no other route', async () => {
  const headers = { 'content-type': 'text/plain' }
  const body = '{"image_names":[]}'

  expect(await api.send('POST', '/api/v1/images/star', { body, headers })).toMatchObject({
    status: 422,
  })
})
