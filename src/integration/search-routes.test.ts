import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#client/connect.ts'
import { MAX_SAVED_SEARCHES, MAX_SEARCH_NAME_LENGTH } from '#contract/limits.ts'
import type { SavedSearch } from '#contract/search/saved-searches.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const path = '/api/v1/searches'
const post = (json: unknown) => api.send('POST', path, { json })
const make = async (fields: object = {}) => {
  const { status, body } = await post({ name: 'Castles', query: 'castle -neon', ...fields })
  expect(status).toBe(201)
  return body as SavedSearch
}
const list = async () => (await api.send('GET', path)).body as SavedSearch[]

test('saves, lists, changes and deletes a search, and puts it back', async () => {
  const made = await make({ name: '  Castles ', icon: 'flag', filter: { kind: 'video' } })
  expect(made).toMatchObject({
    ...{ name: 'Castles', query: 'castle -neon', icon: 'flag', position: null },
    filter: { kind: 'video' },
  })
  const own = `${path}/${made.search_id}`
  expect((await api.send('GET', own)).body).toEqual(made)
  expect(await list()).toEqual([made])

  const json = { name: 'Towers', icon: null, position: 'a0' }
  const changed = await api.send('PATCH', own, { json })
  expect(changed).toMatchObject({ status: 200, body: { ...json, query: 'castle -neon' } })
  expect(await list()).toEqual([changed.body])

  expect(await api.send('DELETE', own)).toMatchObject({ status: 200, body: { name: 'Towers' } })
  expect(await list()).toEqual([])
  expect(await make({ search_id: made.search_id })).toMatchObject({ search_id: made.search_id })
  await api.send('DELETE', own)
})

test.each(['GET', 'PATCH', 'DELETE'])(
  'refuses %s of a search that is not there',
  async (method) => {
    const init = method === 'PATCH' ? { json: { name: 'x' } } : {}
    const { status, body, headers } = await api.send(method, `${path}/gone`, init)
    expect({ status, body }).toEqual({
      status: 404,
      body: { detail: 'There is no such search.' },
    })
    expect(headers.get('x-refusal-code')).toBe('search_not_found')
  },
)

test.each([
  [{ name: '  ' }, 'The name is empty.'],
  [{ query: ' ' }, 'The query is empty.'],
  [{ position: 'nonsense!' }, 'The position is not a key of fractional-indexing.'],
  [{ search_id: 'a/b' }, 'The id must have only letters, digits, - and _.'],
])('refuses %j with a sentence, and saves nothing', async (fields, detail) => {
  const { status, body, headers } = await post({ name: 'A', query: 'cat', ...fields })
  expect({ status, body }).toEqual({ status: 422, body: { detail } })
  expect(headers.get('x-refusal-code')).toBe('invalid_search')
  expect(await list()).toEqual([])
})

test.each([
  {},
  { name: '', query: 'cat' },
  { name: 'x'.repeat(MAX_SEARCH_NAME_LENGTH + 1), query: 'cat' },
  { name: 'A', query: 'x'.repeat(4_001) },
  { name: 'A', query: 'cat', icon: 'skull' },
  { name: 'A', query: 'cat', filter: { board: 'x' } },
  { name: 'A', query: 'cat', colour: 'red' },
  [],
])('refuses a body that does not fit, %#', async (json) => {
  expect((await post(json)).status).toBe(422)
  expect(await list()).toEqual([])
})

test('refuses a taken id and more searches than the maximum @long', async () => {
  const made = await make({ search_id: 'mine' })
  expect(await post({ search_id: 'mine', name: 'B', query: 'dog' })).toMatchObject({ status: 409 })
  for (let at = 1; at < MAX_SAVED_SEARCHES; at += 1) await make({ search_id: `n${at}` })

  const { status, headers } = await post({ name: 'B', query: 'dog' })
  expect([status, headers.get('x-refusal-code')]).toEqual([409, 'too_many_searches'])
  expect((await list())[0]).toEqual(made)
  expect(await list()).toHaveLength(MAX_SAVED_SEARCHES)
  await Promise.all(
    (await list()).map(({ search_id }) => api.send('DELETE', `${path}/${search_id}`)),
  )
})

test('counts what searches find, with their filters', async () => {
  await api.makeImage('castle.png')
  await api.makeImage('cat.png')
  const searches = [
    { query: 'name:castle' },
    { query: '' },
    { query: '', filter: { kind: 'video' } },
    { query: '-name:castle', filter: { starred: true } },
    { query: 'steps>x', filter: null },
  ]
  expect(await api.send('POST', `${path}/counts`, { json: { searches } })).toMatchObject({
    status: 200,
    body: { counts: [1, 2, 0, 0, 2] },
  })
  const many = { searches: Array.from({ length: 101 }, () => ({ query: 'cat' })) }
  expect((await api.send('POST', `${path}/counts`, { json: many })).status).toBe(422)
})

test('tells clients that ask for changes, and works through the client library', async () => {
  await using client = connect({ baseUrl: api.url, events: { changes: true } })
  const { searches, events } = client
  const opened = Promise.withResolvers<void>()
  events.onState(({ phase }) => {
    if (phase === 'open') opened.resolve()
  })
  const nextChange = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    events.listen(({ event }) => {
      if (event === 'searches_changed') resolve()
    })
    return promise
  }
  let changed = nextChange()
  await opened.promise
  const { search_id } = await searches.create({ name: 'Cats', query: 'cat' })
  await changed
  changed = nextChange()
  expect(await searches.update(search_id, { query: 'cat -dog' })).toMatchObject({ name: 'Cats' })
  await changed

  expect(await searches.list()).toMatchObject([{ query: 'cat -dog' }])
  expect(await searches.get(search_id)).toMatchObject({ query: 'cat -dog' })
  expect(await searches.delete(search_id)).toMatchObject({ query: 'cat -dog' })
  expect(await searches.delete(search_id)).toBeNull()
  expect(await searches.get(search_id)).toBeNull()
  await expect(searches.update(search_id, { name: 'x' })).rejects.toMatchObject({
    code: 'search_not_found',
  })
})
