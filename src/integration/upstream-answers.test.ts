import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createUpstreamServer } from '#server/index.ts'
import {
  type RunningUpstreamServer,
  startUpstreamServer,
} from '#testing/server/start-upstream-server.ts'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown

let answer: Answer = (response) => response.end()
let upstream: FakeUpstream
let gallery: RunningUpstreamServer
beforeAll(async () => {
  upstream = await startFakeUpstream((request, response) => answer(response, request))
  gallery = await startUpstreamServer(upstream.url, { token: 'sesame' })
})
afterEach(() => {
  upstream.received.length = 0
})
afterAll(async () => {
  await gallery.close()
  await upstream.kill()
})

/** Sends a request with the gallery's token in its cookie, as the page does. */
async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const signIn = await fetch(`${gallery.url}/?token=sesame`, { redirect: 'manual' })
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const headers = new Headers(init.headers)
  headers.set('cookie', [cookie, headers.get('cookie')].filter(Boolean).join('; '))
  return fetch(`${gallery.url}${path}`, { redirect: 'manual', ...init, headers })
}

const says =
  (type: string | null, body = 'x', status = 200, headers = {}): Answer =>
  (response) => {
    response.writeHead(status, { ...(type !== null && { 'content-type': type }), ...headers })
    response.end(body)
  }

describe('answers of the upstream', () => {
  test.each([
    ['application/json', 200],
    ['text/plain; charset=utf-8', 500],
    ['image/png', 200],
    ['video/mp4', 206],
    ['application/zip', 200],
  ])('passes on %s with status %d and prevents active content', async (type, status) => {
    answer = says(type, '{"a": 1}', status)
    const response = await ask('/api/v1/x')

    expect([response.status, await response.text()]).toEqual([status, '{"a": 1}'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  test("passes on the upstream's API description", async () => {
    answer = says('application/json', '{"openapi": "3.1.0"}')

    expect(await (await ask('/openapi.json')).json()).toEqual({ openapi: '3.1.0' })
    expect(upstream.received).toMatchObject([{ method: 'GET', target: '/openapi.json' }])
  })

  test.each([
    ['text/html', 'GET', 200, 404, 'not_found'],
    ['text/html', 'HEAD', 200, 404, 'not_found'],
    ['text/html', 'POST', 200, 502, 'upstream_answer_refused'],
    ['text/html; charset=utf-8', 'GET', 404, 502, 'upstream_answer_refused'],
    ['application/xhtml+xml', 'GET', 500, 502, 'upstream_answer_refused'],
    ['text/javascript', 'GET', 200, 502, 'upstream_answer_refused'],
    ['application/javascript', 'GET', 200, 502, 'upstream_answer_refused'],
    ['text/css', 'GET', 200, 502, 'upstream_answer_refused'],
    ['application/xml', 'GET', 200, 502, 'upstream_answer_refused'],
    ['text/event-stream', 'GET', 200, 502, 'upstream_answer_refused'],
  ])(
    'rejects %s in answer to %s with status %d as %d',
    async (type, method, status, expectedStatus, code) => {
      answer = says(type, '<script>alert(1)</script>', status)
      const response = await ask('/api/v1/x', { method })

      expect([response.status, response.headers.get('x-refusal-code')]).toEqual([
        expectedStatus,
        code,
      ])
      expect(await response.text()).not.toContain('script>')
      expect(response.headers.get('content-type') ?? '').not.toContain(type)
    },
  )

  test('forces SVG images to be downloaded', async () => {
    answer = says('image/svg+xml', '<svg/>', 200, { 'content-disposition': 'inline' })

    const { headers } = await ask('/api/v1/x')
    expect(headers.get('content-disposition')).toBe('attachment')
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  test("distinguishes the upstream's login from the gallery's", async () => {
    answer = says('application/json', '{"detail":"Authentication required"}', 401)
    const theirs = await ask('/api/v1/boards/')
    const ours = await fetch(`${gallery.url}/api/v1/boards/`)

    expect(theirs.headers.get('x-refusal-code')).toBe('login_required')
    expect(await theirs.json()).toEqual({ detail: 'Authentication required' })
    expect(ours.headers.get('x-refusal-code')).toBe('unauthorized')
  })

  test('does not wait for the body of a 204, a 304 or a HEAD request', async () => {
    for (const status of [204, 304]) {
      answer = says(null, '', status, { etag: '"a"' })
      const response = await ask('/api/v1/x')
      expect([response.status, response.headers.get('etag')]).toEqual([status, '"a"'])
    }
    answer = says('image/png', '', 200, { 'content-length': '5000' })
    const head = await ask('/api/v1/images/i/a.png/full', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '5000'])
  })
})

test('drops cookies, links and other security-relevant headers of the upstream', async () => {
  answer = says('application/json', '{}', 200, {
    'set-cookie': ['session=1', 'tessera_1=forged', 'invokeai_media_token=ey.J; Path=/; Secure'],
    'access-control-allow-origin': '*',
    'clear-site-data': '"*"',
    'content-security-policy': 'script-src *',
    link: '</x.js>; rel=preload',
    refresh: '0;url=http://evil.example',
    server: 'uvicorn',
    sourcemap: '/x',
    'strict-transport-security': 'max-age=1',
    'www-authenticate': 'Basic',
    'x-refusal-code': 'unauthorized',
    'x-refreshed-token': 'new',
    connection: 'x-private, close',
    'x-private': '1',
  })
  const response = await ask('/api/v1/auth/login', { method: 'POST' })

  const known = [
    'x-content-type-options',
    'content-security-policy',
    'cross-origin-resource-policy',
  ]
  const ours = [
    'content-encoding',
    'transfer-encoding',
    'referrer-policy',
    'cache-control',
    'content-length',
    'content-type',
    'date',
    'x-request-id',
  ]
  const net = ['connection', 'keep-alive', 'vary', 'set-cookie', 'x-refreshed-token']
  expect([...known, ...ours, ...net]).toEqual(
    expect.arrayContaining([...new Set(response.headers.keys())]),
  )
  expect(response.headers.getSetCookie()).toEqual([
    'invokeai_media_token=ey.J; Path=/api/v1; HttpOnly; SameSite=Lax',
  ])
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
})

test('sends the upstream only the headers that it needs', async () => {
  answer = says('application/json', '{}')
  await ask('/api/v1/boards/?all=true', {
    headers: {
      authorization: 'Bearer ey.login',
      cookie: 'invokeai_media_token=ey.media; other=1',
      'if-none-match': '"a"',
      range: 'bytes=0-1',
      referer: `${gallery.url}/?token=sesame`,
      origin: gallery.url,
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=10.0.0.1',
      'x-http-method-override': 'DELETE',
      'proxy-authorization': 'Basic x',
    },
  })

  const [reached] = upstream.received
  expect(reached).toMatchObject({ method: 'GET', target: '/api/v1/boards/?all=true' })
  const { via, ...headers } = reached?.headers ?? {}
  expect(headers).toEqual({
    accept: '*/*',
    'accept-encoding': 'identity',
    'accept-language': '*',
    authorization: 'Bearer ey.login',
    connection: 'keep-alive',
    cookie: 'invokeai_media_token=ey.media',
    host: new URL(upstream.url).host,
    'if-none-match': '"a"',
    range: 'bytes=0-1',
  })
  expect(via).toMatch(/^1\.1 tessera-/)
})

test("never forwards the gallery's own token", async () => {
  answer = says('application/json', '{}')
  const response = await fetch(`${gallery.url}/api/v1/boards/`, {
    headers: { authorization: 'Bearer sesame' },
  })

  expect(response.status).toBe(200)
  expect(upstream.received[0]?.headers).not.toHaveProperty('authorization')
  expect(upstream.received[0]?.headers).not.toHaveProperty('cookie')
})

test('detects a request loop by the Via header', async () => {
  answer = says('application/json', '{}')
  await ask('/api/v1/boards/')
  const via = String(upstream.received[0]?.headers.via)
  const response = await ask('/api/v1/boards/', { headers: { via: `1.1 other, ${via}` } })

  expect(response.status).toBe(502)
  expect(await response.json()).toEqual({ detail: expect.stringContaining('leads back') })
  expect(upstream.received).toHaveLength(1)
})

test('detects that the gallery is its own upstream after one request', async () => {
  const place = await startFakeUpstream(() => {})
  await place.kill() // its port is free now
  const loop = await createUpstreamServer({ upstream: place.url })
  await loop.listen({ host: '127.0.0.1', port: place.port })

  const response = await fetch(`${loop.address}/api/v1/boards/`)
  expect(response.status).toBe(502)
  expect(await response.json()).toEqual({ detail: expect.stringContaining('leads back') })
  expect(await loop.status()).toMatchObject({ state: 'down' })
  await loop.close()
})

describe('sizes', () => {
  const mib = 1024 * 1024

  test('rejects a text answer of more than 64 MiB', async () => {
    answer = (response) => {
      const length = 64 * mib + 1
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
      response.flushHeaders()
    }
    const response = await ask('/api/v1/x')

    expect([response.status, response.headers.get('x-refusal-code')]).toEqual([
      502,
      'upstream_answer_refused',
    ])
    expect(await response.json()).toEqual({ detail: expect.stringContaining('64 MiB') })
  })

  test('aborts a text answer that grows beyond 64 MiB', async () => {
    let sent = 0
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const piece = Buffer.alloc(mib, ' ')
      const write = () => {
        while (!response.destroyed && response.write(piece)) sent += 1
        sent += 1
      }
      response.on('drain', write)
      response.on('error', () => {})
      write()
    }
    const response = await ask('/api/v1/x', { headers: { 'accept-encoding': 'identity' } })

    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow()
    expect(sent).toBeLessThan(100)
  })

  test('streams binary answers beyond 64 MiB without buffering them @long', async () => {
    const pieces = 100
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': pieces * mib })
      let left = pieces
      const write = () => {
        while (left > 0) {
          left -= 1
          if (!response.write(Buffer.alloc(mib))) return
        }
        response.end()
      }
      response.on('drain', write)
      write()
    }
    const response = await ask('/api/v1/x')

    let received = 0
    for await (const piece of response.body ?? []) received += piece.length
    expect(received).toBe(pieces * mib)
  })
})
