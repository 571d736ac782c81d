import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createServer } from '#server/index.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Api, openApi } from './open-api.ts'

let shared: Api
let port: number
beforeAll(async () => {
  shared = await openApi()
  port = Number(new URL(shared.url).port)
})
afterAll(() => shared.close())

/** Reads everything that the server sends until it closes the connection. */
const answerOn = async (socket: Socket): Promise<string> => {
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.on('error', () => undefined) // the server may close the connection before it has read everything
  await new Promise((resolve) => socket.once('close', resolve)) // `once` of node:events rejects after an error
  return answer
}

/** Sends raw bytes. They must include `Connection: close`, unless the server refuses them. */
const send = (port: number, text: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  return answerOn(socket)
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

const expectRefusal = (answer: string, status: number, code: string) => {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const lines = head.toLowerCase().split('\r\n')
  expect(statusOf(answer)).toBe(status)
  expect(lines).toContain('content-type: application/json; charset=utf-8')
  expect(lines).toContain(`x-refusal-code: ${code}`)
  expect(lines).toContain('x-content-type-options: nosniff')
  expect(lines).toContain("content-security-policy: default-src 'none'; frame-ancestors 'none'")
  expect(lines).toContain('cross-origin-resource-policy: same-origin')
  expect(lines).toContain('cache-control: no-store')
  expect(JSON.parse(body)).toEqual({ detail: expect.any(String) })
}

const requestOf = (target: string, ...headers: string[]) =>
  `GET ${target} HTTP/1.1\r\n${[...headers, 'connection: close'].join('\r\n')}\r\n\r\n`

test('rejects a request with two Host headers or none', async () => {
  const own = `host: 127.0.0.1:${port}`
  const refused = [
    requestOf('/api/v1/app/version', own, 'host: evil.example'),
    requestOf('/api/v1/app/version', own, own),
    requestOf('/', own, 'HOST: evil.example'),
    requestOf('/api/v1/app/version'),
    requestOf('http://evil.example/api/v1/app/version', own),
    requestOf('http://evil.example', own),
    requestOf(`http://127.0.0.1:${port}@evil.example/`, own),
    requestOf(`http://127.0.0.1:${port}/api/v1/app/version`, 'host: localhost'),
  ]

  for (const request of refused) expectRefusal(await send(port, request), 400, 'bad_request')
})

test('treats an absolute address of this host as an ordinary request, with all guards', async () => {
  const own = `host: 127.0.0.1:${port}`
  const address = `http://127.0.0.1:${port}`
  const foreign = 'origin: http://evil.example'

  expect(await send(port, requestOf(`${address}/api/v1/app/version`, own))).toMatch(
    /^HTTP\/1\.1 200.*"version":/s,
  )
  for (const path of ['/api/v1/boards/?all=1', '/api/v1/nothing']) {
    const answer = await send(port, requestOf(address + path, own, foreign))
    expectRefusal(answer, 403, 'origin_not_allowed')
  }
  expect(statusOf(await send(port, requestOf(`${address}?token=x`, own)))).toBe(503) // no page is built
})

test('answers parser errors with the usual body and headers', async () => {
  expectRefusal(await send(port, 'no HTTP\r\n\r\n'), 400, 'bad_request')
  expectRefusal(await send(port, `GET / HTTP/1.1\r\nno header\r\n\r\n`), 400, 'bad_request')
  const large = `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(66_000)}\r\n\r\n`
  expectRefusal(await send(port, large), 431, 'headers_too_large')
  expectRefusal(await send(port, requestOf('/%ff', 'host: localhost')), 404, 'not_found')
})

test('keeps an answer intact if an error follows the request', async () => {
  const answer = await send(
    port,
    'GET /api/v1/app/version HTTP/1.1\r\nhost: localhost\r\n\r\nno HTTP\r\n\r\n',
  )

  expect(answer.match(/HTTP\/1\.1 /g)?.length).toBeLessThanOrEqual(2)
  for (const part of answer.split(/(?=HTTP\/1\.1 )/)) {
    const [, body = ''] = part.split('\r\n\r\n')
    expect(() => JSON.parse(body) as unknown).not.toThrow()
  }
})

test('ignores an unknown expectation', async () => {
  const request = requestOf('/api/v1/app/version', 'host: localhost', 'expect: something')

  expect(statusOf(await send(port, request))).toBe(200)
})

test.each([
  ['/api/v1/app/version', 405, 'method_not_allowed'],
  ['/', 405, 'method_not_allowed'],
  ['/api/v1/nothing', 404, 'not_found'],
] as const)('answers TRACE %s with %i', async (path, status, code) => {
  const request = `TRACE ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`

  expectRefusal(await send(port, request), status, code)
})

test('rejects request headers that take too long to arrive @long', {
  timeout: 20_000,
}, async () => {
  const dataFolder = await createTemporaryFolder()
  const server = await createServer({ dataFolder, rateLimit: 'off' })
  onTestFinished(async () => {
    await server.close()
    await removeFolder(dataFolder)
  })
  server.app.server.headersTimeout = 100
  const url = await server.listen({ host: '127.0.0.1', port: 0 })

  // Node checks for timeouts every five seconds.
  expectRefusal(await send(Number(new URL(url).port), 'GET / HTT'), 408, 'request_timeout')
})

test('answers the request on an open connection during shutdown, and closes the connection', async () => {
  const api = await openApi()
  const port = Number(new URL(api.url).port)
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST /api/v1/images/images_by_names HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
      'content-length: 18\r\nexpect: 100-continue\r\n\r\n',
  )
  await once(socket, 'data') // 100 Continue: the server has begun to handle the request

  const closing = api.close()
  const isListening = () =>
    fetch(api.url).then(
      ({ status }) => status !== 503,
      () => false,
    )
  await expect.poll(isListening).toBe(false)
  const answers = answerOn(socket)
  socket.write('{"image_names":[]}GET /api/v1/app/version HTTP/1.1\r\nhost: localhost\r\n\r\n')

  const [first = '', ...others] = (await answers).split(/(?=HTTP\/1\.1 )/)
  expect(statusOf(first)).toBe(200)
  expect(first.toLowerCase()).toContain('connection: close')
  expect(others).toEqual([])
  await closing
})
