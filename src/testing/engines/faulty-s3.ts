import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * - `refuse`: 503, as S3 answers a client that asks too often
 * - `forbid`: 403, as for credentials without this right
 * - `hang`: takes the request and never answers
 * - `lose`: the store carries the request out, but the answer is lost
 * - `cut`: sends half of the answer and closes the connection
 * - `stall`: sends half of the answer and nothing more
 */
export type Fault = 'refuse' | 'forbid' | 'hang' | 'lose' | 'cut' | 'stall'

/** An HTTP proxy in front of an S3 server, which answers the next requests wrongly. */
export interface FaultyS3 {
  /** The URL of the bucket through the proxy. */
  readonly url: string
  /** Lets the next matching requests fail. */
  fail(fault: Fault, options?: { method?: string; times?: number }): void
  /** Lets all requests succeed again. */
  recover(): void
  /** Methods of the requests that arrived since the last call of `fail`. */
  readonly methods: readonly string[]
  close(): Promise<void>
}

export const startFaultyS3 = async (s3Url: string): Promise<FaultyS3> => {
  const url = new URL(s3Url)
  const target = new URL(url.searchParams.get('endpoint') ?? '')
  let planned: { fault: Fault; method: string | undefined; times: number } | null = null
  let methods: string[] = []

  const faultOf = ({ method }: IncomingMessage): Fault | null => {
    const isMeant = planned !== null && (planned.method ?? method) === method
    if (planned === null || !isMeant || planned.times === 0) return null
    planned.times--
    return planned.fault
  }

  const answer = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/', headers } = asked
    methods.push(method)
    const fault = faultOf(asked)
    const body = await buffer(asked)
    if (fault === 'hang') return
    if (fault === 'refuse' || fault === 'forbid') {
      const [status, code] = fault === 'refuse' ? [503, 'SlowDown'] : [403, 'AccessDenied']
      response.writeHead(status, { 'content-type': 'application/xml' })
      return void response.end(`<Error><Code>${code}</Code><Message>No.</Message></Error>`)
    }
    const { hostname: host, port } = target
    // A reused connection may be closed by the store just when the request is sent.
    const sent = request({ host, port, method, path, headers, agent: false }).end(body)
    const [found] = (await once(sent, 'response')) as [IncomingMessage]
    const content = await buffer(found)
    if (fault === 'lose') return void asked.socket.destroy()
    response.writeHead(found.statusCode ?? 500, found.rawHeaders)
    if (fault === null) return void response.end(content)
    response.write(content.subarray(0, content.length / 2), () => {
      if (fault === 'cut') asked.socket.destroy()
    })
  }

  const server = createServer((asked, response) => {
    answer(asked, response).catch(() => asked.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.searchParams.set('endpoint', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return {
    url: url.href,
    fail: (fault, { method, times = Number.POSITIVE_INFINITY } = {}) => {
      planned = { fault, method, times }
      methods = []
    },
    recover: () => {
      planned = null
    },
    get methods() {
      return methods
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
