import { once } from 'node:events'
import { type IncomingMessage, type RequestListener, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import type { UpstreamServerOptions } from '#server/index.ts'
import { defaultTimeouts } from '#server/upstream/upstream.ts'
import { asUpstreamRefusal } from '#server/upstream/upstream-refusal.ts'
import {
  type RunningUpstreamServer,
  startUpstreamServer,
} from '#testing/server/start-upstream-server.ts'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'

/** Long enough for a busy machine. */
const pollOptions = { timeout: 20_000 }

let upstream: FakeUpstream
let gallery: RunningUpstreamServer
const open = async (answer: RequestListener, options: Partial<UpstreamServerOptions> = {}) => {
  upstream = await startFakeUpstream(answer)
  gallery = await startUpstreamServer(upstream.url, options)
}
afterEach(async () => {
  await gallery.close()
  await upstream.kill()
})

const json = { 'content-type': 'application/json' }
const ask = (path = '/api/v1/x', init?: RequestInit) => fetch(`${gallery.url}${path}`, init)

/** Returns the status, the code and the message of a refusal. */
const readRefusal = async (answer: Response) => {
  const { detail } = (await answer.json()) as { detail: string }
  return { status: answer.status, code: answer.headers.get('x-refusal-code'), detail }
}

const HOUR_MS = 3_600_000

test.each([
  ['GET', '/api/v1/boards/', { readMs: 200 }, false],
  ['GET', '/api/v1/images/i/a.png/full', { readMs: 200 }, false],
  ['POST', '/api/v1/images/star', { changeMs: 200 }, true],
  ['PATCH', '/api/v1/boards/a', { changeMs: 200 }, true],
  ['POST', '/api/v1/images/upload?image_category=user', { longMs: 200 }, true],
  ['DELETE', '/api/v1/boards/a?include_images=true', { longMs: 200 }, true],
] as const)(
  'answers 504 to %s %s if the upstream hangs',
  async (method, path, limit, mayHappen) => {
    const timeouts = { readMs: HOUR_MS, changeMs: HOUR_MS, longMs: HOUR_MS, ...limit }
    await open(() => {}, { timeouts })

    const refusal = await readRefusal(await ask(path, { method }))

    expect(refusal).toMatchObject({ status: 504, code: 'upstream_timeout' })
    expect(refusal.detail).toContain(
      `InvokeAI at ${upstream.url} took too long: it sent nothing for`,
    )
    expect(refusal.detail.includes('It may still carry out this change.')).toBe(mayHappen)
    // Nothing is sent twice. On a busy machine the limit may pass before the request arrives.
    expect(upstream.received.length).toBeLessThanOrEqual(1)
  },
)

test('ends a queued read as soon as the others if the upstream hangs', async () => {
  await open(() => {}, { timeouts: { readMs: 500 } })

  const answers = await Promise.all(Array.from({ length: 40 }, () => ask()))

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([504]))
  // At most 32 connections. Some of the waiting reads may get one that a refused read has freed.
  expect(upstream.received.length).toBeGreaterThanOrEqual(32)
  expect(upstream.received.length).toBeLessThanOrEqual(40)
})

test('limits a read to 30 seconds and a small change to 60', () => {
  expect(defaultTimeouts).toMatchObject({ readMs: 30_000, changeMs: 60_000, longMs: 600_000 })
})

test('lets a download take longer than the limit once it has started', async () => {
  await open(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/zip', 'content-length': 8 })
      let left = 8
      const timer = setInterval(() => {
        response.write('x')
        if (--left === 0) clearInterval(timer)
      }, 100)
    },
    { timeouts: { readMs: 400 } },
  )

  const answer = await ask('/api/v1/images/download/a.zip')

  expect(await answer.text()).toBe('xxxxxxxx')
})

test('logs no error if a client hangs up after the response headers', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  let ended: Promise<unknown> | undefined
  await open(
    (_request, response) => {
      ended = once(response, 'close')
      response.writeHead(200, json).flushHeaders()
    },
    { logger },
  )
  const asked = request(`${gallery.url}/api/v1/x`).end()
  asked.on('error', () => {})
  await expect.poll(() => ended !== undefined, pollOptions).toBe(true)

  asked.destroy()
  await ended
  await gallery.close()

  expect(lines).toEqual([])
})

test('aborts an answer if the upstream stops in the middle', async () => {
  await open(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1_000_000 })
      response.write(Buffer.alloc(500_000))
    },
    { timeouts: { idleMs: 200 } },
  )

  const answer = await ask()
  expect(answer.status).toBe(200)
  await expect(answer.arrayBuffer()).rejects.toThrow()
})

test('answers 504 if the upstream stops after the response headers', async () => {
  await open((_request, response) => response.writeHead(200, json).flushHeaders(), {
    timeouts: { idleMs: 200 },
  })

  expect(await readRefusal(await ask())).toMatchObject({ status: 504, code: 'upstream_timeout' })
})

test('waits for a client that reads slowly @long', async () => {
  const size = 30_000_000
  await open(
    (incoming, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size })
      if (incoming.url !== '/api/v1/silent') response.end(Buffer.alloc(size))
      else response.flushHeaders()
    },
    { timeouts: { idleMs: 2000 } },
  )
  const asked = request(`${gallery.url}/api/v1/film`).end()
  const [film] = (await once(asked, 'response')) as [IncomingMessage]

  // The idle limit passes twice for the silent request while nothing of the film is read.
  for (let round = 0; round < 2; round++) expect((await ask('/api/v1/silent')).status).toBe(504)
  let received = 0
  for await (const piece of film) received += piece.length
  expect(received).toBe(size)
})

test('does not mistake its own busy time for silence of the upstream', async () => {
  const size = 50_000
  let goOn = () => {}
  await open(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': 2 * size })
      response.write(Buffer.alloc(size))
      goOn = () => response.end(Buffer.alloc(size))
    },
    { timeouts: { idleMs: 500 } },
  )
  const asked = request(`${gallery.url}/api/v1/x`).end()
  const [image] = (await once(asked, 'response')) as [IncomingMessage]

  // The rest is sent and remains unread for longer than the idle limit.
  goOn()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)

  let received = 0
  for await (const piece of image) received += piece.length
  expect(received).toBe(2 * size)
})

test('aborts the answer if the upstream dies in the middle', async () => {
  await open((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1_000_000 })
    response.write(Buffer.alloc(500_000), () => void upstream.kill())
  })

  const answer = await ask()
  await expect(answer.arrayBuffer()).rejects.toThrow()
})

test('answers 502 if the upstream dies after the response headers', async () => {
  await open((request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1_000_000 })
    response.flushHeaders()
    setImmediate(() => request.socket.destroy())
  })

  const answer = await ask().catch(() => null)
  // Either the error is reported in time, or the connection is cut. A complete image never arrives.
  if (answer?.status === 200) await expect(answer.arrayBuffer()).rejects.toThrow()
  else if (answer !== null) expect((await readRefusal(answer)).code).toBe('upstream_down')
})

test('reports an answer that was cut before it was read as 502', () => {
  const error = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })

  expect(asUpstreamRefusal('http://invoke.lan', error)).toMatchObject({ code: 'upstream_down' })
})

test('answers 502 if the upstream does not speak HTTP', async () => {
  await open((request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'))

  expect(await readRefusal(await ask())).toMatchObject({
    status: 502,
    code: 'upstream_down',
    detail: expect.stringContaining('not HTTP'),
  })
})

test('answers 502 while the upstream is down and recovers by itself', async () => {
  await open((_request, response) => response.writeHead(200, json).end('[]'))
  expect(await (await ask()).json()).toEqual([])
  const upkeep = () => gallery.client.server.upstream()
  expect(await upkeep()).toMatchObject({ state: 'up', version: '6.14.0', detail: null })

  await upstream.kill()
  expect(await readRefusal(await ask())).toMatchObject({
    status: 502,
    code: 'upstream_down',
    detail: `InvokeAI at ${upstream.url}: nothing is running there. Start InvokeAI; the gallery then goes on by itself.`,
  })
  await expect.poll(async () => (await upkeep())?.state, pollOptions).toBe('down')
  expect((await ask('/api/v1/health')).status).toBe(502)
  expect((await ask('/')).status).not.toBe(502)

  await upstream.revive()
  await expect.poll(async () => (await upkeep())?.state, pollOptions).toBe('up')
  expect(await (await ask()).json()).toEqual([])
  expect((await ask('/api/v1/health')).status).toBe(200)
})

test('loses no request when the upstream closes an idle connection', async () => {
  await open((_request, response) => response.writeHead(200, json).end('[]'))

  for (let round = 0; round < 10; round++) {
    await Promise.all([ask(), ask(), ask()])
    for (const socket of upstream.sockets) socket.destroy()
    expect((await ask()).status).toBe(200)
  }
})

test("cancels the upstream's request if the client hangs up while waiting", async () => {
  let seen: IncomingMessage | undefined
  await open((incoming) => {
    seen = incoming
  })
  const waiting = new AbortController()
  const asked = ask('/api/v1/x', { signal: waiting.signal })
  await expect.poll(() => seen !== undefined, pollOptions).toBe(true)

  waiting.abort()
  await expect(asked).rejects.toThrow()
  await expect.poll(() => seen?.socket.destroyed, pollOptions).toBe(true)
})

test("closes the upstream's answer if the client hangs up in the middle", async () => {
  let ended: Promise<unknown> | undefined
  await open((_request, response) => {
    ended = once(response, 'close')
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.on('drain', () => response.write(Buffer.alloc(1_000_000)))
    response.write(Buffer.alloc(1_000_000))
  })
  const waiting = new AbortController()
  const answer = await ask('/api/v1/x', { signal: waiting.signal })
  await answer.body?.getReader().read()

  waiting.abort()
  await ended
})

test("aborts the upstream's request if the client hangs up during an upload", async () => {
  let seen: IncomingMessage | undefined
  await open((incoming) => {
    seen = incoming.resume()
    incoming.on('error', () => {})
  })
  const upload = request(`${gallery.url}/api/v1/images/upload`, { method: 'POST' })
  upload.on('error', () => {})
  upload.write(Buffer.alloc(100_000))
  await expect.poll(() => seen !== undefined, pollOptions).toBe(true)

  upload.destroy()
  await expect.poll(() => seen?.destroyed, pollOptions).toBe(true)
  expect(seen?.complete).toBe(false)
})

test('streams an upload without buffering it', async () => {
  let received = 0
  await open((incoming, response) => {
    incoming.on('data', (piece: Buffer) => {
      received += piece.length
    })
    incoming.on('end', () => response.writeHead(201, json).end('{}'))
  })
  const upload = request(`${gallery.url}/api/v1/images/upload?image_category=user`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
  const piece = Buffer.alloc(1_000_000)
  for (let sent = 1; sent <= 50; sent++) {
    if (!upload.write(piece)) await once(upload, 'drain')
    // Each chunk arrives before the next one is sent, except for what the streams buffer.
    await expect.poll(() => received, pollOptions).toBeGreaterThan((sent - 3) * 1_000_000)
  }
  upload.end()
  const [answer] = (await once(upload, 'response')) as [IncomingMessage]

  expect([answer.statusCode, await text(answer), received]).toEqual([201, '{}', 50_000_000])
  expect(upstream.received[0]).toMatchObject({
    target: '/api/v1/images/upload?image_category=user',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' },
  })
})

test('passes on the answer to an upload that is refused halfway @long', async () => {
  await open((incoming, response) => {
    incoming.resume()
    response.writeHead(415, json).end('{"detail":"Not an image"}')
  })
  const body = Buffer.alloc(20_000_000)
  const upload = request(`${gallery.url}/api/v1/images/upload`, { method: 'POST' })
  upload.on('error', () => {})
  upload.end(body)

  const [answer] = (await once(upload, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(415)
  expect(JSON.parse(await text(answer))).toEqual({ detail: 'Not an image' })
})

test('limits concurrent requests to the upstream and refuses the excess @long', async () => {
  const waiting: (() => void)[] = []
  await open((_request, response) => waiting.push(() => response.writeHead(200, json).end('[]')))
  const asked = Array.from({ length: 600 }, () => ask().then(({ status }) => status))

  const refused = await Promise.race(
    asked.map(async (one) => one.then((s) => (s === 503 ? s : new Promise<never>(() => {})))),
  )
  expect(refused).toBe(503)
  expect(waiting.length).toBeLessThanOrEqual(32)
  const answered = setInterval(() => {
    for (const answer of waiting.splice(0)) answer()
  }, 5)
  const statuses = await Promise.all(asked)
  clearInterval(answered)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
})
