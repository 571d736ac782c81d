import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, openApi } from './open-api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const paths = [
  '/api/v1/boards/?all=1',
  '/api/v1/images/?limit=10',
  '/api/v1/images/names',
  '/api/v1/boards/none/image_names',
  '/api/v1/trash/',
  '/api/v1/images/intermediates',
]

test.each(paths)('answers %s with 304 while no record changes', async (path) => {
  const etag = (await api.send('GET', path)).headers.get('etag') ?? ''
  const again = () => api.send('GET', path, { headers: { 'if-none-match': etag } })

  expect(await again()).toMatchObject({ status: 304, body: '' })
  await api.makeBoard('A change')
  const changed = await again()
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(etag)
})

test('validates the query before the ETag, and sends refusals without one', async () => {
  const headers = { 'if-none-match': '*' }
  const wrong = await api.send('GET', '/api/v1/images/?limit=x', { headers })
  expect([wrong.status, wrong.headers.get('etag')]).toEqual([422, null])

  const unknown = await api.send('GET', '/api/v1/images/i/nothing.png')
  expect([unknown.status, unknown.headers.get('etag')]).toEqual([404, null])
})

test.each(['br', 'gzip'])('sends JSON as %s if the client accepts it', async (encoding) => {
  for (let index = 0; index < 10; index++) await api.makeBoard('A name that is long enough')

  const answer = await fetch(`${api.url}${paths[0]}`, { headers: { 'accept-encoding': encoding } })
  expect(answer.headers.get('content-encoding')).toBe(encoding)
  expect(await answer.json()).toBeInstanceOf(Array)
})
