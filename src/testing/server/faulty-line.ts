import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  request as requestOf,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

/**
 * - `refuse`: 503, and the server never sees the request
 * - `lose`: the server carries the request out, but the connection breaks before the answer
 */
export type LineFault = 'refuse' | 'lose'

/** An HTTP proxy in front of a server: a slow line on which changes fail. Event sockets pass unchanged. */
export interface FaultyLine {
  /** Without a trailing slash. */
  readonly url: string
  /** The faults that happened. */
  readonly faults: readonly string[]
  /** The changes of many images that passed, as paths. */
  readonly batches: readonly string[]
  /** Hides images from changes of many images, so that the server does not change them: one in so many. 0: none. */
  failOneIn(count: number): void
  /** Fails the next changes in this order. */
  fail(...faults: readonly LineFault[]): void
  close(): Promise<void>
}

/** Starts a proxy that delays each request of the API by `latencyMs`. */
export async function startFaultyLine(
  targetUrl: string,
  { latencyMs }: { latencyMs: number },
): Promise<FaultyLine> {
  const { hostname: host, port } = new URL(targetUrl)
  const planned: LineFault[] = []
  const faults: string[] = []
  const batches: string[] = []
  let failsOneIn = 0

  const answer = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/', headers } = asked
    if (path.startsWith('/api/')) await setTimeout(latencyMs)
    // Lists of names are read with POST.
    const isChange = method !== 'GET' && !/by_names|\/stats|\/search/.test(path)
    const fault = isChange ? planned.shift() : undefined
    if (fault !== undefined) faults.push(`${fault} ${method} ${path}`)
    if (fault === 'refuse') {
      asked.resume()
      response.writeHead(503, { 'content-type': 'application/json' })
      return void response.end('{"detail":"The line is faulty."}')
    }
    const isBatch = isChange && BATCH.test(path)
    if (isBatch) batches.push(path)
    if (isBatch && failsOneIn > 0) {
      const url = new URL(path, targetUrl)
      return answerBatch({ asked, response, url, failsOneIn })
    }
    const sent = requestOf({ host, port, method, path, headers, agent: false })
    sent.once('error', () => response.destroy())
    response.once('close', () => sent.destroy())
    sent.once('response', (found) => {
      if (fault === 'lose') return void response.destroy()
      response.writeHead(found.statusCode ?? 502, found.rawHeaders)
      found.pipe(response)
    })
    asked.pipe(sent)
  }

  const server = createServer((asked, response) => void answer(asked, response))
  server.on('upgrade', (asked: IncomingMessage, near, head) => {
    const far = connect(Number(port), host)
    const lines = [`${asked.method} ${asked.url} HTTP/1.1`]
    for (let at = 0; at < asked.rawHeaders.length; at += 2)
      lines.push(`${asked.rawHeaders[at]}: ${asked.rawHeaders[at + 1]}`)
    far.write(`${lines.join('\r\n')}\r\n\r\n`)
    far.write(head)
    for (const socket of [near, far]) {
      socket.on('error', () => socket.destroy())
      socket.once('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    batches,
    failOneIn: (count) => {
      failsOneIn = count
    },
    fail: (...next) => void planned.push(...next),
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Paths of changes of many images. */
const BATCH = /\/board_images\/batch|\/images\/(un)?star$|\/trash\/images$/

interface Batch {
  asked: IncomingMessage
  response: ServerResponse
  url: URL
  failsOneIn: number
}

/** Sends a change without one in so many of its images, and reports these as failed. */
async function answerBatch({ asked, response, url, failsOneIn }: Batch): Promise<void> {
  const { image_names, ...rest } = JSON.parse(await text(asked))
  const isFailing = (_name: string, at: number) => at % failsOneIn === 0
  const failed: string[] = image_names.filter(isFailing)
  const isFailed = new Set(failed)
  const passed = image_names.filter((name: string) => !isFailed.has(name))
  const body = JSON.stringify({ ...rest, image_names: passed })
  const { 'accept-encoding': _encoding, ...headers } = asked.headers
  const sent = requestOf(url, {
    method: asked.method,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: false,
  })
  sent.once('error', () => response.destroy())
  sent.end(body)
  const [found] = (await once(sent, 'response')) as [IncomingMessage]
  const answer = JSON.parse(await text(found))
  const all = { ...answer, failed_images: [...(answer.failed_images ?? []), ...failed] }
  response.writeHead(found.statusCode ?? 502, { 'content-type': 'application/json' })
  response.end(JSON.stringify((found.statusCode ?? 500) < 300 ? all : answer))
}
