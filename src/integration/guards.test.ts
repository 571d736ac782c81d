import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Api, openApi } from './open-api.ts'

/** Sends a request with headers that `fetch` does not allow. */
const sendRaw = (api: Api, path: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<{ status: number; code: string | undefined }>((resolve, reject) => {
    const request = httpRequest(`${api.url}${path}`, { method, headers }, (answer) => {
      answer.resume()
      const code = answer.headers['x-refusal-code']
      resolve({ status: answer.statusCode ?? 0, code: code?.toString() })
    })
    request.on('error', reject).end()
  })

describe('without a token', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi({ allowedHosts: ['gallery.lan'] })
  })
  afterAll(() => api.close())

  test.each([
    'localhost',
    'LOCALHOST:1',
    '127.0.0.1:9091',
    '[::1]:9091',
    'gallery.lan',
    'Gallery.lan:80',
  ])('answers requests for the host %s', async (host) => {
    expect((await sendRaw(api, '/api/v1/app/version', { host })).status).toBe(200)
  })

  test.each([
    'evil.example',
    'localhost.evil.example',
    '192.168.1.5',
    '127.0.0.1.nip.io',
    'gallery.lan.evil',
  ])('refuses the host %s, for the page too', async (host) => {
    for (const path of ['/api/v1/app/version', '/', '/openapi.json', '/%61pi/v1/app/version']) {
      expect(await sendRaw(api, path, { host })).toEqual({ status: 403, code: 'host_not_allowed' })
    }
  })

  test.each([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'https://gallery.lan.evil' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ])('keeps other sites from the API: %j', async (headers) => {
    const paths = ['/api/v1/boards/?all=1', '/%61pi/v1/boards/?all=1', '/openapi.json']
    for (const path of paths) {
      expect(await sendRaw(api, path, headers)).toEqual({ status: 403, code: 'origin_not_allowed' })
    }
    const simplePost = { ...headers, 'content-type': 'text/plain' }
    const post = await sendRaw(api, '/api/v1/boards/?board_name=x', simplePost, 'POST')
    expect(post.status).toBe(403)
    expect((await api.send('GET', '/api/v1/boards/?all=1')).body).toEqual([])
  })

  test('accepts requests of the page, programs and opened links', async () => {
    for (const headers of [
      { origin: api.url },
      { origin: 'https://gallery.lan' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
      {},
    ]) {
      expect((await sendRaw(api, '/api/v1/boards/?all=1', headers)).status).toBe(200)
    }
  })

  test('sends no header that lets another site read an answer', async () => {
    const { headers } = await api.send('GET', '/api/v1/app/version', {
      headers: { origin: api.url },
    })

    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })
})

describe('with an allowed origin', () => {
  const origin = 'http://localhost:5173'
  let api: Api
  beforeAll(async () => {
    api = await openApi({ allowedOrigins: [origin], token: 'a long enough token' })
  })
  afterAll(() => api.close())

  test('answers its preflight requests, which have no token', async () => {
    const preflight = { origin, 'access-control-request-method': 'DELETE' }

    const answer = await api.send('OPTIONS', '/api/v1/images/uncategorized', { headers: preflight })

    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-allow-methods')).toContain('DELETE')
    const headers = answer.headers.get('access-control-allow-headers')
    expect(headers).toBe(
      'authorization, content-type, tessera-origin, tus-resumable, upload-length, upload-metadata, upload-offset',
    )
  })

  test('lets it read answers and refusals, and still requires the token', async () => {
    const path = '/api/v1/boards/unknown'
    const authorization = 'Bearer a long enough token'

    const refused = await api.send('GET', path, { headers: { origin } })
    const answered = await api.send('GET', path, { headers: { origin, authorization } })

    expect([refused.status, answered.status]).toEqual([401, 404])
    for (const { headers } of [refused, answered]) {
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-expose-headers')).toContain('x-refusal-code')
      expect(headers.get('vary')).toContain('Origin')
    }
  })

  test.each(['http://localhost:5174', 'https://localhost:5173', 'null'])(
    'keeps the origin %s from the API',
    async (other) => {
      const { status, headers } = await api.send('GET', '/api/v1/boards/?all=1', {
        headers: { origin: other },
      })

      expect(status).toBe(403)
      expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )
})

describe('with a token', () => {
  const token = 'a token, with "marks"'
  let api: Api
  beforeAll(async () => {
    api = await openApi({ token })
  })
  afterAll(() => api.close())

  const link = `/some/page?board=1&copy=2&token=${encodeURIComponent(token)}`

  test.each([
    '/api/v1/boards/?all=1',
    '/openapi.json',
    '/api/v1/nothing',
    '/%61pi/v1/boards/?all=1',
  ])('requires it for %s', async (path) => {
    for (const authorization of ['', 'Bearer wrong', `Basic ${token}`, token]) {
      expect(await api.send('GET', path, { headers: { authorization } })).toMatchObject({
        status: 401,
        body: { detail: 'Authentication required' },
      })
    }
    const withToken = await api.send('GET', path, { headers: { authorization: `Bearer ${token}` } })
    expect(withToken.status).not.toBe(401)
  })

  test('ignores a token in the query of an API address', async () => {
    const path = `/api/v1/boards/?all=1&token=${encodeURIComponent(token)}`
    expect((await api.send('GET', path)).status).toBe(401)
  })

  test('asks for the link on the page', async () => {
    for (const path of ['/', '/assets/x.js', '/?token=wrong', '/?token=a&token=b']) {
      const { status, headers, body } = await api.send('GET', path)
      expect([status, headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
      expect(body).toContain('Open this gallery with its link')
    }
  })

  test('sets a cookie for page and API, and removes the token from the address', async () => {
    const { status, headers } = await api.send('GET', link)
    expect([status, headers.get('location')]).toEqual([303, '/some/page?board=1&copy=2'])
    const setCookie = headers.get('set-cookie') ?? ''
    expect(setCookie).toMatch(/^tessera_\d+=[\w-]{43}; .*HttpOnly; SameSite=Strict$/)

    const cookie = { cookie: setCookie.split(';')[0] ?? '' }
    expect((await api.send('GET', '/api/v1/boards/?all=1', { headers: cookie })).status).toBe(200)
    const other = { cookie: `${cookie.cookie}x` }
    expect((await api.send('GET', '/api/v1/boards/?all=1', { headers: other })).status).toBe(401)
  })

  test('opens the page after a link on another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const { status, body, headers: answered } = await api.send('GET', link, { headers })

    expect([status, answered.get('set-cookie')]).toEqual([200, expect.stringContaining('tessera_')])
    expect(body).toContain('content="0;url=/some/page?board=1&#38;copy=2"')
  })

  test('redirects only to a clean address on this server', async () => {
    const path = `//evil.example/%22'><script>?token=${encodeURIComponent(token)}`
    const { headers } = await api.send('GET', path)

    expect(headers.get('location')).toBe(`/evil.example/%22'%3E%3Cscript%3E`)
  })
})

describe('guessing a token', () => {
  const token = 'the right token of this server'
  const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } })

  test.each([
    ['an ordinary route', () => '/api/v1/boards/?all=1', bearer],
    ['a route without a limit @long', () => '/api/v1/images/i/x/full', bearer],
    ['the page', (guess: string) => `/?token=${guess}`, () => ({})],
    ['a cookie', () => '/api/v1/images/i/x/full', null],
  ])(
    'is blocked after 20 wrong tokens on %s, even for the correct one',
    async (_, path, headers) => {
      const api = await openApi({ token })
      onTestFinished(() => api.close())
      const cookie = `tessera_${new URL(api.url).port}`
      const offer = headers ?? ((guess: string) => ({ headers: { cookie: `${cookie}=${guess}` } }))
      const guess = async (value: string) =>
        (await api.send('GET', path(value), offer(value))).status

      const statuses = []
      for (let count = 0; count < 22; count++) statuses.push(await guess(`wrong${count}`))

      expect(statuses).toEqual([...Array(20).fill(401), 429, 429])
      expect((await api.send('GET', '/api/v1/boards/?all=1', bearer(token))).status).toBe(429)
      expect((await api.send('GET', '/api/v1/boards/?all=1')).status).toBe(401)
    },
  )

  test('counts the same wrong token once, as from an old tab with many thumbnails', async () => {
    const api = await openApi({ token })
    onTestFinished(() => api.close())

    for (let count = 0; count < 30; count++) {
      const { status } = await api.send('GET', '/api/v1/images/i/x/full', bearer('old'))
      expect(status).toBe(401)
    }
  })
})
