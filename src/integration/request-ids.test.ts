import { afterEach, expect, test } from 'vitest'
import { type Api, openApi } from './open-api.ts'

let api: Api
afterEach(() => api.close())

const idOf = async (given?: string, path = '/api/v1/app/version'): Promise<string> => {
  const headers = given === undefined ? {} : { 'x-request-id': given }
  return (await api.send('GET', path, { headers })).headers.get('x-request-id') ?? ''
}

const uuid = /^[\da-f]{8}-[\da-f-]{27}$/

test('names each request, also a refused one', async () => {
  api = await openApi()

  const ids = [await idOf(), await idOf(), await idOf(undefined, '/api/v1/boards/none-such')]

  for (const id of ids) expect(id).toMatch(uuid)
  expect(new Set(ids).size).toBe(3)
})

test('takes a sane ID from a trusted proxy only', async () => {
  api = await openApi()
  expect(await idOf('from-a-client')).toMatch(uuid)
  await api.close()

  api = await openApi({ trustedProxies: ['10.0.0.0/8', '127.0.0.1'] })

  expect(await idOf('7f/a:b=')).toBe('7f/a:b=')
  for (const odd of ['', 'two words', 'x'.repeat(129), '"{}"'])
    expect(await idOf(odd)).toMatch(uuid)
})
