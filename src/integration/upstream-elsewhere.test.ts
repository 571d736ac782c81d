import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type RunningUpstreamServer,
  startUpstreamServer,
} from '#testing/server/start-upstream-server.ts'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'

/** Servers that no request may reach: only the upstream is reachable from outside. */
let elsewhere: { server: Server; address: string; connections: number }[]
let upstream: FakeUpstream
let gallery: RunningUpstreamServer
/** The resolver returns a different address of the upstream after the first lookup. */
let lookUps = 0

beforeAll(async () => {
  upstream = await startFakeUpstream((request, response) => {
    const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to')
    if (to !== null) response.writeHead(302, { location: to, 'content-type': 'application/json' })
    else response.setHeader('content-type', 'application/json')
    response.end('{}')
  })
  // A different port of the same machine, and the upstream's port on other addresses.
  elsewhere = await Promise.all(
    [
      ['127.0.0.1', 0] as const,
      ['127.0.0.2', upstream.port] as const,
      ['::1', upstream.port] as const,
    ].map(async ([host, port]) => {
      const place = { server: createServer(), address: '', connections: 0 }
      place.server.on('connection', (socket) => {
        place.connections++
        socket.destroy()
      })
      place.server.listen(port, host)
      await once(place.server, 'listening')
      const at = place.server.address()
      const name = host.includes(':') ? `[${host}]` : host
      place.address = `${name}:${at && typeof at === 'object' ? at.port : ''}`
      return place
    }),
  )
  gallery = await startUpstreamServer(`http://invoke.test:${upstream.port}`, {
    resolve: async () => {
      lookUps++
      return [{ address: lookUps === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    },
  })
})
afterAll(async () => {
  await gallery.close()
  await upstream.kill()
  for (const { server } of elsewhere) server.close()
})

/** Sends raw bytes and returns the status line with the rest of the answer. */
async function sendRaw(head: string): Promise<string> {
  const { port } = new URL(gallery.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(head)
  return text(socket).catch(() => '')
}

/** Request targets. `<E>` is replaced by the address of another server. */
const targets = [
  'http://<E>/api/v1/x',
  'HTTP://<E>/api/v1/x',
  'https://<E>/api/v1/x',
  'http://u:p@<E>/api/v1/x',
  'ftp://<E>/api/',
  '//<E>/api/v1/x',
  '///<E>/api/v1/x',
  '/\\<E>/api/v1/x',
  '\\\\<E>/api/x',
  '/\\/<E>/api/x',
  '<E>/api/v1/x',
  '*',
  '<E>',
  '/api@<E>/x',
  '/@<E>/api/',
  '/api/@<E>/..',
  '/api/..@<E>',
  '/api:80@<E>/',
  '@<E>/api/',
  ':@<E>/api/',
  '/api/v1/http://<E>/x',
  '/api/../..//<E>/x',
  '/api//<E>/x',
  '/api/%2f%2f<E>/x',
  '/api/%2F..%2F..%2F<E>',
  '/api/..%2f..%2f<E>',
  '/api/.%2e//<E>/',
  '/api/%2e%2e/%2e%2e/<E>',
  '/api/%252e%252e/<E>',
  '/api/%25252e%25252e/<E>',
  '/api/..;/<E>',
  '/api/..%3b/<E>',
  '/api/..%00/<E>',
  '/api/%5c%5c<E>/x',
  '/api/..\\..\\<E>',
  '/api/%255c%255c<E>',
  '/api/..%5c..%5c<E>',
  '/api/\\<E>',
  '/api/%EF%BC%8E%EF%BC%8E/<E>',
  '/api/%E2%80%A5/<E>',
  '/api/%EF%BC%8F%EF%BC%8F<E>',
  '/api/\uff0e\uff0e/<E>',
  '/api/%E3%80%82/../<E>',
  '/api/v1%0d%0aHost:%20<E>',
  '/api/v1%0a<E>',
  '/api/v1%E5%98%8A%E5%98%8DHost:<E>',
  '/api/v1\u010d\u010a<E>',
  '/api/\t<E>',
  '/api/v1%20HTTP/1.1%0d%0aHost:<E>',
  '/%61pi/../<E>',
  '/api?@<E>',
  '/api#@<E>',
  '/api/#@<E>/',
  '/api/v1/?url=http://<E>/',
  '/api/v1/x?to=http://<E>/&x=//<E>',
  '/api<E>',
  '/api.<E>/',
  '/ws/socket.io/../../<E>',
  '/ws/socket.io@<E>/',
  '/ws/socket.io//<E>',
  '/ws/socket.io/%2e%2e/<E>',
  '/ws/http://<E>',
  '/ws',
  '/api/v1/images/upload?url=http://<E>/a.png',
  '/proxy?url=http://<E>',
  '/redoc',
  '/docs',
  '/api',
  '/..//<E>/',
]

const heads: [what: string, head: string][] = [
  ...targets.map((target): [string, string] => [
    target,
    `GET ${target} HTTP/1.1\r\nhost: localhost\r\n`,
  ]),
  ['HTTP/1.0', 'GET http://<E>/api/v1/x HTTP/1.0\r\n'],
  ['a POST', 'POST //<E>/api/v1/x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n'],
  ['an unknown method', 'GET@<E> /api/v1/x HTTP/1.1\r\nhost: localhost\r\n'],
  ['CONNECT', 'CONNECT <E> HTTP/1.1\r\nhost: localhost\r\n'],
  ['TRACE', 'TRACE http://<E>/api/x HTTP/1.1\r\nhost: localhost\r\n'],
  ['OPTIONS', 'OPTIONS http://<E>/api/x HTTP/1.1\r\nhost: localhost\r\n'],
  ['another Host', 'GET /api/v1/x HTTP/1.1\r\nhost: <E>\r\n'],
  ['two Hosts', 'GET /api/v1/x HTTP/1.1\r\nhost: localhost\r\nhost: <E>\r\n'],
  ['a Host with a name before it', 'GET /api/v1/x HTTP/1.1\r\nhost: localhost@<E>\r\n'],
  ['a Host with a path', 'GET /api/v1/x HTTP/1.1\r\nhost: localhost/<E>\r\n'],
  [
    'a forwarded Host',
    'GET /api/v1/x HTTP/1.1\r\nhost: localhost\r\nx-forwarded-host: <E>\r\nforwarded: host=<E>\r\nx-original-url: //<E>/\r\nx-rewrite-url: http://<E>/\r\n',
  ],
  [
    'an upgrade elsewhere',
    'GET http://<E>/ws/socket.io/ HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: MTIzNDU2Nzg5MDEyMzQ1Ng==\r\n',
  ],
  [
    'a hidden request',
    'GET /api/v1/x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 6\r\ntransfer-encoding: chunked\r\n',
  ],
]

test(`forwards ${heads.length} requests for other hosts only to the upstream or nowhere`, async () => {
  expect(heads.length).toBeGreaterThanOrEqual(80)
  for (const [what, head] of heads) {
    for (const { address } of elsewhere) {
      const answer = await sendRaw(`${head.replaceAll('<E>', address)}connection: close\r\n\r\n`)
      expect(answer, what).toMatch(/^(?:HTTP\/1.1 [2-5]\d\d |$)/) // a CONNECT request is closed without an answer
    }
  }

  expect(elsewhere.map(({ connections }) => connections)).toEqual([0, 0, 0])
  expect(lookUps).toBe(1)
  // Accepted requests reach the API path exactly as it was written. The other address is only text in it.
  const places = elsewhere.map(({ address }) => address)
  const written = upstream.received.map(({ target }) =>
    places.reduce((path, address) => path.replace(address, '<E>'), target.split('?')[0] ?? ''),
  )
  expect([...new Set(written)].sort()).toEqual([
    '/api/..@<E>',
    '/api/v1%E5%98%8A%E5%98%8DHost:<E>',
    '/api/v1/',
    '/api/v1/images/upload',
    '/api/v1/x',
  ])
  for (const { headers } of upstream.received) {
    expect(headers.host).toBe(`invoke.test:${upstream.port}`)
    expect(JSON.stringify({ ...headers, via: '' })).not.toMatch(/127\.0\.0\.[12]|::1/)
  }
})

test.each([
  ['http://E/', 502],
  ['//E/api/v1/x', 502],
  ['http://u:p@E/api/v1/x', 502],
  ['/\\E/api/', 502],
  ['file:///etc/passwd', 502],
  ['javascript:alert(1)', 502],
  ['/', 502],
  ['/docs', 502],
  ['/api/../docs', 502],
  ['', 502],
  ['/api/v1/there?a=b', 302],
  ['http://invoke.test:UP/api/v1/there?a=b', 302],
])('passes on a redirect to %j as %d without following it', async (to, status) => {
  for (const { address } of elsewhere) {
    const location = to.replaceAll('E', address).replace('UP', String(upstream.port))
    const query = new URLSearchParams({ to: location })
    const answer = await fetch(`${gallery.url}/api/v1/x?${query}`, { redirect: 'manual' })

    expect(answer.status).toBe(status)
    expect(answer.headers.get('location')).toBe(status === 302 ? '/api/v1/there?a=b' : null)
  }
  expect(elsewhere.map(({ connections }) => connections)).toEqual([0, 0, 0])
})
