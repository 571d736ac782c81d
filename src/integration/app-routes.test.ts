import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '#server/start/version.ts'
import { type Api, openApi } from './open-api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi({ maxUploadBytes: 5_000_000 })
})
afterAll(() => api.close())

test.each([
  ['app/version', { version: '6.14.2', tessera: version }],
  ['health', { status: 'ok', version }],
  [
    'auth/status',
    {
      setup_required: false,
      multiuser_enabled: false,
      strict_password_checking: false,
      admin_email: null,
    },
  ],
])('answers %s', async (path, body) => {
  const headers = { authorization: 'Bearer whatever' } // ignored: the server has no token
  expect(await api.send('GET', `/api/v1/${path}`, { headers })).toMatchObject({ status: 200, body })
})

test('lists extensions and limits in the capabilities', async () => {
  expect((await api.send('GET', '/api/v1/app/capabilities')).body).toMatchObject({
    server: 'tessera',
    extensions: expect.arrayContaining(['batch_upload', 'trash', 'archives', 'thumbnail_sizes']),
    thumbnail_sizes: [384, 768, 1536],
    limits: { requests_per_minute: null, max_upload_bytes: 5_000_000 },
  })
})

test('fills a demo library and streams one line per image', async () => {
  const { status, body } = await api.send('POST', '/api/v1/app/demo_library?image_count=3')

  expect(status).toBe(200)
  expect(body).toBe([1, 2, 3].map((done) => `${JSON.stringify({ done, total: 3 })}\n`).join(''))
  expect((await api.send('GET', '/api/v1/images/?limit=0')).body).toMatchObject({ total: 3 })
})

test.each(['/api', '/api/', '/api/v1/nothing', '/api/v2/nothing', '/api/v1/boards/%ff'])(
  'answers 404 for %s',
  async (path) => {
    for (const method of ['GET', 'POST', 'HEAD', 'DELETE']) {
      const { status, headers } = await api.send(method, path)
      expect([status, headers.get('content-type')]).toEqual([
        404,
        'application/json; charset=utf-8',
      ])
    }
    expect((await api.send('GET', path)).body).toEqual({ detail: 'Not Found' })
  },
)

test.each([
  ['PUT', '/api/v1/boards/'],
  ['HEAD', '/api/v1/boards/'],
  ['OPTIONS', '/api/v1/images/upload'],
  ['POST', '/api/v1/images/i/x.png'],
  ['GET', '/api/v1/images/star'],
  ['POST', '/openapi.json'],
  ['HEAD', '/openapi.json'],
  ['POST', '/somewhere'],
])('rejects the method %s %s', async (method, path) => {
  const { status, body } = await api.send(method, path)

  expect(status).toBe(405)
  if (method !== 'HEAD') expect(body).toEqual({ detail: 'Method Not Allowed' })
})
