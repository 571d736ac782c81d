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
import { type MadeUpstream, makeUpstream } from './made-upstream.ts'

/** However busy the machine is. */
const soon = { timeout: 20_000 }

let upstream: MadeUpstream
let gallery: RunningUpstreamServer
const open = async (answer: RequestListener, options: Partial<UpstreamServerOptions> = {}) => {
  upstream = await makeUpstream(answer)
  gallery = await startUpstreamServer(upstream.url, options)
}
afterEach(async () => {
  await gallery.close()
  await upstream.kill()
})

const json = { 'content-type': 'application/json' }
const ask = (path = '/api/v1/x', init?: RequestInit) => fetch(`${gallery.url}${path}`, init)

/** What a refusal says: its status, its code and its words. */
const told = async (answer: Response) => {
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
  '%s %s of a hanging upstream is a 504 that says so',
  async (method, path, limit, mayHappen) => {
    const timeouts = { readMs: HOUR_MS, changeMs: HOUR_MS, longMs: HOUR_MS, ...limit }
    await open(() => {}, { timeouts })

    const refusal = await told(await ask(path, { method }))

    expect(refusal).toMatchObject({ status: 504, code: 'upstream_timeout' })
    expect(refusal.detail).toContain(
      `InvokeAI at ${upstream.url} took too long: it sent nothing for`,
    )
    expect(refusal.detail.includes('It may still carry out this change.')).toBe(mayHappen)
    expect(upstream.reached).toHaveLength(1) // nothing is sent twice
  },
)

test('a read that finds no free connection to a hanging upstream ends as soon as the others', async () => {
  await open(() => {}, { timeouts: { readMs: 500 } })

  const answers = await Promise.all(Array.from({ length: 40 }, () => ask()))

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([504]))
  // 32 connections at most. Some of the waiting reads may get one that a refused read has left.
  expect(upstream.reached.length).toBeGreaterThanOrEqual(32)
  expect(upstream.reached.length).toBeLessThanOrEqual(40)
})

test('a person waits at most half a minute for a read and a minute for a small change', () => {
  expect(defaultTimeouts).toMatchObject({ readMs: 30_000, changeMs: 60_000, longMs: 600_000 })
})

test('a download that begins in time may take longer than the limit', async () => {
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

test('a client that hangs up behind the head of an answer is no error of the server', async () => {
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
  await expect.poll(() => ended !== undefined, soon).toBe(true)

  asked.destroy()
  await ended
  await gallery.close()

  expect(lines).toEqual([])
})

test('one that stops in the middle of an answer is cut', async () => {
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

test('one that falls silent behind the head of its answer is a 504', async () => {
  await open((_request, response) => response.writeHead(200, json).flushHeaders(), {
    timeouts: { idleMs: 200 },
  })

  expect(await told(await ask())).toMatchObject({ status: 504, code: 'upstream_timeout' })
})

test('who reads slowly is waited for', async () => {
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

  // The patience ends twice for who is silent, while nothing of the film is read.
  for (let round = 0; round < 2; round++) expect((await ask('/api/v1/silent')).status).toBe(504)
  let received = 0
  for await (const piece of film) received += piece.length
  expect(received).toBe(size)
})

test('that this process was busy is not taken for silence', async () => {
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

  // The rest is sent, and lies there unread for longer than the patience lasts.
  goOn()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)

  let received = 0
  for await (const piece of image) received += piece.length
  expect(received).toBe(2 * size)
})

test('one that dies in the middle of an answer ends ours, and it is not taken for the whole', async () => {
  await open((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1_000_000 })
    response.write(Buffer.alloc(500_000), () => void upstream.kill())
  })

  const answer = await ask()
  await expect(answer.arrayBuffer()).rejects.toThrow()
})

test('one that dies behind the head of its answer is a 502', async () => {
  await open((request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1_000_000 })
    response.flushHeaders()
    setImmediate(() => request.socket.destroy())
  })

  const answer = await ask().catch(() => null)
  // Either it was told in time, or the connection is cut: never a picture.
  if (answer?.status === 200) await expect(answer.arrayBuffer()).rejects.toThrow()
  else if (answer !== null) expect((await told(answer)).code).toBe('upstream_down')
})

test('an answer that was cut before it was read is a 502, not a fault of this server', () => {
  const error = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })

  expect(asUpstreamRefusal('http://invoke.lan', error)).toMatchObject({ code: 'upstream_down' })
})

test('one that speaks no HTTP is a 502', async () => {
  await open((request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'))

  expect(await told(await ask())).toMatchObject({
    status: 502,
    code: 'upstream_down',
    detail: expect.stringContaining('not HTTP'),
  })
})

test('killed, it is a 502 that names it; back, it is found again by itself', async () => {
  await open((_request, response) => response.writeHead(200, json).end('[]'))
  expect(await (await ask()).json()).toEqual([])
  const upkeep = () => gallery.client.server.upstream()
  expect(await upkeep()).toMatchObject({ state: 'up', version: '6.14.0', detail: null })

  await upstream.kill()
  expect(await told(await ask())).toMatchObject({
    status: 502,
    code: 'upstream_down',
    detail: `InvokeAI at ${upstream.url}: nothing is running there. Start InvokeAI; the gallery then goes on by itself.`,
  })
  await expect.poll(async () => (await upkeep())?.state, soon).toBe('down')
  expect((await ask('/api/v1/health')).status).toBe(502)
  expect((await ask('/')).status).not.toBe(502)

  await upstream.revive()
  await expect.poll(async () => (await upkeep())?.state, soon).toBe('up')
  expect(await (await ask()).json()).toEqual([])
  expect((await ask('/api/v1/health')).status).toBe(200)
})

test('an idle connection that the upstream let go costs no request', async () => {
  await open((_request, response) => response.writeHead(200, json).end('[]'))

  for (let round = 0; round < 10; round++) {
    await Promise.all([ask(), ask(), ask()])
    for (const socket of upstream.sockets) socket.destroy()
    expect((await ask()).status).toBe(200)
  }
})

test('who hangs up while waiting ends the request behind it', async () => {
  let seen: IncomingMessage | undefined
  await open((incoming) => {
    seen = incoming
  })
  const waiting = new AbortController()
  const asked = ask('/api/v1/x', { signal: waiting.signal })
  await expect.poll(() => seen !== undefined, soon).toBe(true)

  waiting.abort()
  await expect(asked).rejects.toThrow()
  await expect.poll(() => seen?.socket.destroyed, soon).toBe(true)
})

test('who hangs up in the middle of an answer ends it', async () => {
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

test('who hangs up in the middle of an upload ends that', async () => {
  let seen: IncomingMessage | undefined
  await open((incoming) => {
    seen = incoming.resume()
    incoming.on('error', () => {})
  })
  const upload = request(`${gallery.url}/api/v1/images/upload`, { method: 'POST' })
  upload.on('error', () => {})
  upload.write(Buffer.alloc(100_000))
  await expect.poll(() => seen !== undefined, soon).toBe(true)

  upload.destroy()
  await expect.poll(() => seen?.destroyed, soon).toBe(true)
  expect(seen?.complete).toBe(false)
})

test('an upload goes on as it comes, and is not gathered first', async () => {
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
    // It is there before the next piece is sent, but for what streams hold.
    await expect.poll(() => received, soon).toBeGreaterThan((sent - 3) * 1_000_000)
  }
  upload.end()
  const [answer] = (await once(upload, 'response')) as [IncomingMessage]

  expect([answer.statusCode, await text(answer), received]).toEqual([201, '{}', 50_000_000])
  expect(upstream.reached[0]).toMatchObject({
    target: '/api/v1/images/upload?image_category=user',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' },
  })
})

test('an upload that is refused half-way is answered', async () => {
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

test('no more go there at once than fit, and what is too much is told', async () => {
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
