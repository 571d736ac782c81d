import { expect, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { FakeFetch, json, type Routes } from '#testing/fake-fetch.ts'

const connectTo = (routes: Routes) => {
  const server = new FakeFetch(routes)
  return { server, client: connect({ baseUrl: 'http://gallery.test', fetch: server.fetch }) }
}

const ended = { import_id: 'i 1', state: 'canceled' }

test('starts an import with the given options', async () => {
  const { client, server } = connectTo({ 'POST /api/v1/imports': () => json(ended, 201) })

  const started = await client.imports.start({ folder: '/pictures', boards: 'none', link: true })

  expect(started).toEqual(ended)
  expect(server.lines).toEqual([
    'POST /api/v1/imports {"folder":"/pictures","boards":"none","link":true}',
  ])
})

test('reads, pauses, resumes and cancels an import by its id', async () => {
  const path = '/api/v1/imports/i 1'
  const { client, server } = connectTo({
    'GET /api/v1/imports': () => [ended],
    [`GET ${path}`]: () => ended,
    [`POST ${path}/pause`]: () => ended,
    [`POST ${path}/resume`]: () => ended,
    [`POST ${path}/cancel`]: () => ended,
  })

  expect(await client.imports.list()).toEqual([ended])
  for (const method of ['get', 'pause', 'resume', 'cancel'] as const) {
    expect(await client.imports[method]('i 1')).toEqual(ended)
  }
  expect(server.lines).toHaveLength(5)
})

test('reads refused files page by page', async () => {
  const page = { limit: 100, offset: 200, total: 201, items: [] }
  const { client, server } = connectTo({ 'GET /api/v1/imports/i 1/refusals': () => page })

  expect(await client.imports.refusals('i 1', { offset: 200, limit: 100 })).toEqual(page)

  expect(server.lines).toEqual(['GET /api/v1/imports/i 1/refusals?offset=200&limit=100'])
})

test('reads added images page by page', async () => {
  const page = { limit: 100, offset: 200, total: 201, items: [] }
  const { client, server } = connectTo({ 'GET /api/v1/imports/i 1/images': () => page })

  expect(await client.imports.added('i 1', { offset: 200, limit: 100 })).toEqual(page)

  expect(server.lines).toEqual(['GET /api/v1/imports/i 1/images?offset=200&limit=100'])
})

test('lists the home folder by default', async () => {
  const { client, server } = connectTo({ 'GET /api/v1/imports/folders': () => ({}) })

  await client.imports.folders(undefined)
  await client.imports.folders('/a b')

  expect(server.lines).toEqual([
    'GET /api/v1/imports/folders',
    'GET /api/v1/imports/folders?path=/a+b',
  ])
})
