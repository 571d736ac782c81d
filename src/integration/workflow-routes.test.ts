import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, openApi } from './open-api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const base = '/api/v1/workflows'

const workflow = (changes: Record<string, unknown> = {}) => ({
  ...{ name: 'Upscale', author: '', description: 'Twice the size', version: '1.0.0', contact: '' },
  ...{ tags: 'upscale, sdxl', notes: '', exposedFields: [], edges: [] },
  ...{ meta: { version: '3.0.0', category: 'user' }, nodes: [{ id: 'a', data: { x: [1, null] } }] },
  ...changes,
})

const store = async (changes: Record<string, unknown> = {}) => {
  const { status, body } = await api.send('POST', `${base}/`, {
    json: { workflow: workflow(changes) },
  })
  expect(status).toBe(200)
  return body as { workflow_id: string; workflow: object }
}

const namesOf = async (query: string) => {
  const { body } = await api.send('GET', `${base}/?${query}`)
  return (body as { items: { name: string }[] }).items.map(({ name }) => name)
}

test('stores, returns, replaces and deletes a workflow', async () => {
  const { workflow_id, ...made } = await store()
  expect(made).toMatchObject({ name: 'Upscale', opened_at: null, is_public: false })
  expect(made.workflow).toEqual({ ...workflow(), id: workflow_id })
  const path = `${base}/i/${workflow_id}`
  expect((await api.send('GET', path)).body).toEqual({ workflow_id, ...made })

  const json = { workflow: workflow({ name: 'Refine', id: workflow_id }) }
  expect((await api.send('PATCH', path, { json })).body).toMatchObject({
    name: 'Refine',
    workflow: { name: 'Refine', id: workflow_id },
  })
  expect((await api.send('DELETE', path)).status).toBe(200)

  for (const method of ['GET', 'DELETE']) {
    expect(await api.send(method, path)).toMatchObject({
      status: 404,
      body: { detail: 'Workflow not found' },
    })
  }
})

test('lists, filters, sorts, pages and counts workflows', async () => {
  const first = await store({ name: 'beta', tags: 'video' })
  await store({ name: 'Alpha', description: 'of hills' })
  await store({ name: 'gamma' })

  expect(await namesOf('')).toEqual(['Alpha', 'beta', 'gamma'])
  expect(await namesOf('order_by=created_at&direction=DESC&per_page=2&page=1')).toHaveLength(1)
  expect(await namesOf('query=HILLS')).toEqual(['Alpha'])
  expect(await namesOf('tags=sdxl&tags=none')).toEqual(['Alpha', 'gamma'])
  expect(await namesOf('categories=default')).toEqual([])
  await api.send('PUT', `${base}/i/${first.workflow_id}/opened_at`)
  await api.send('PATCH', `${base}/i/${first.workflow_id}/is_public`, { json: { is_public: true } })
  expect(await namesOf('has_been_opened=true&is_public=true')).toEqual(['beta'])
  const get = async (path: string) => (await api.send('GET', `${base}/${path}`)).body
  expect(await get('tags')).toEqual(['sdxl', 'upscale', 'video'])
  expect(await get('counts_by_tag?tags=sdxl&tags=video')).toEqual({ sdxl: 2, video: 1 })
  expect(await get('counts_by_category?categories=user&categories=default')).toEqual({
    user: 3,
    default: 0,
  })
})

test.each([
  ['no workflow', {}],
  ['a workflow that is no object', { workflow: 'x' }],
  ['a name that is no text', { workflow: workflow({ name: [] }) }],
  ['a default workflow', { workflow: workflow({ meta: { version: '3', category: 'default' } }) }],
])('refuses %s', async (_what, json) => {
  expect((await api.send('POST', `${base}/`, { json })).status).toBe(422)
})
