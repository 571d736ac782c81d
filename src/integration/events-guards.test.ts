import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'MTIzNDU2Nzg5MDEyMzQ1Ng==',
}

interface Answer {
  status: number
  code: string | undefined
  body: string
}

/** Sends a request and hangs up after the answer, whatever it is. */
const ask = (
  { url }: RunningServer,
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body = '' } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, agent: false })
    const settle = (answer: IncomingMessage, text: string) => {
      const code = answer.headers['x-refusal-code']
      resolve({ status: answer.statusCode ?? 0, code: code?.toString(), body: text })
      sent.destroy()
    }
    sent.on('upgrade', (answer) => settle(answer, ''))
    sent.on('response', async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      settle(answer, text)
    })
    sent.on('error', reject)
    sent.end(body)
  })

const raw = '/ws'
const socketIo = '/ws/socket.io/?EIO=4&transport=websocket'
const polling = '/ws/socket.io/?EIO=4&transport=polling'

/** The transports, each with the headers of its first request and the status of success. */
const transports = [
  ['a raw socket', raw, handshake, 101],
  ['Socket.IO by WebSocket', socketIo, handshake, 101],
  ['Socket.IO by polling', polling, {}, 200],
] as const

let open: RunningServer
let guarded: RunningServer
beforeAll(async () => {
  open = await startServer({ allowedHosts: ['gallery.lan'] })
  guarded = await startServer({ token: 'sesame' })
})
afterAll(async () => {
  await open.close()
  await guarded.close()
})

describe.each(transports)('%s', (_name, path, headers, accepted) => {
  test.each([{}, { host: 'gallery.lan' }, { host: 'gallery.lan', origin: 'http://gallery.lan' }])(
    'is accepted with %j',
    async (own) => {
      expect((await ask(open, path, { ...headers, ...own })).status).toBe(accepted)
    },
  )

  test('is accepted from the page itself', async () => {
    expect((await ask(open, path, { ...headers, origin: open.url })).status).toBe(accepted)
  })

  test.each([
    ['host_not_allowed', { host: 'evil.example' }],
    ['host_not_allowed', { host: 'evil.example', origin: 'http://evil.example' }],
    ['origin_not_allowed', { origin: 'http://evil.example' }],
    ['origin_not_allowed', { origin: 'null' }],
    ['origin_not_allowed', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused with %s for %j', async (code, own) => {
    const answer = await ask(open, path, { ...headers, ...own })

    expect(answer).toMatchObject({ status: 403, code })
    expect(JSON.parse(answer.body)).toHaveProperty('detail')
  })

  test('requires the token if the server has one', async () => {
    const bearer = (token: string) => ({ ...headers, authorization: `Bearer ${token}` })
    const signIn = await fetch(`${guarded.url}/?token=sesame`, { redirect: 'manual' })
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''

    expect((await ask(guarded, path, bearer('sesame'))).status).toBe(accepted)
    expect((await ask(guarded, path, { ...headers, cookie })).status).toBe(accepted)
    for (const wrong of [headers, bearer('wrong'), { ...headers, cookie: `${cookie}x` }]) {
      expect(await ask(guarded, path, wrong)).toMatchObject({ status: 401, code: 'unauthorized' })
    }
    const inQuery = `${path}${path.includes('?') ? '&' : '?'}token=sesame`
    expect((await ask(guarded, inQuery, headers)).status).toBe(401)
  })
})

describe('on other paths', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  test.each(['/', '/ws/other', '/wsx', '/api/v1/app/version', '/api/v1/nothing', '/assets/x.js'])(
    'opens no socket at %s',
    async (path) => {
      expect(await ask(server, path, handshake)).toMatchObject({ status: 404, code: 'not_found' })
    },
  )

  test('answers 426 to a request without an upgrade', async () => {
    expect(await ask(server, raw)).toMatchObject({ status: 426, code: 'upgrade_required' })
  })

  test.each([
    { ...handshake, 'sec-websocket-version': '7' },
    { ...handshake, 'sec-websocket-key': 'short' },
  ])('rejects an invalid handshake: %j', async (headers) => {
    for (const path of [raw, socketIo]) {
      expect((await ask(server, path, headers)).status).toBe(400)
    }
    expect((await ask(server, raw, handshake)).status).toBe(101)
  })

  test.each(['transport=carrier-pigeon', 'EIO=4&transport=polling&sid=unknown', 'EIO=3'])(
    'refuses %s through Engine.IO',
    async (query) => {
      for (const headers of [{}, handshake]) {
        expect((await ask(server, `/ws/socket.io/?${query}`, headers)).status).toBe(400)
      }
    },
  )

  test('ignores an offer of HTTP/2 and answers the request with its body', async () => {
    const offer = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA',
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ image_names: ['unknown.png'] })

    expect(
      await ask(server, '/api/v1/images/images_by_names', offer, { method: 'POST', body }),
    ).toMatchObject({ status: 200, body: '[]' })
  })
})

test('counts polling in a separate limit @long', async () => {
  const server = await startServer({
    rateLimit: { requestsPerMinute: 3, batchRequestsPerMinute: 3 },
  })
  const poll = () => ask(server, `${polling}&sid=unknown`)
  for (let polled = 0; polled < 599; polled += 1) await poll()

  expect((await ask(server, raw, handshake)).status).toBe(101)
  expect(await poll()).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(await ask(server, raw, handshake)).toMatchObject({ status: 429, code: 'rate_limited' })
  expect((await ask(server, '/api/v1/app/version')).status).toBe(200)
  server.clock.advance(60_000)
  expect((await poll()).status).toBe(400)
  await server.close()
})
