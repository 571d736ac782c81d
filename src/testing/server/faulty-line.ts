import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  request as requestOf,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
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
    fail: (...next) => void planned.push(...next),
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
