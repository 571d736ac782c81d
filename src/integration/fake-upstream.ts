import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request that received an upstream. */
export interface ReceivedRequest {
  method: string
  target: string
  headers: IncomingMessage['headers']
}

/** A server whose answers the test defines and that records its requests. */
export interface FakeUpstream {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly server: Server
  /** All requests except those of the watcher. */
  readonly received: ReceivedRequest[]
  /** Open connections. */
  readonly sockets: ReadonlySet<Socket>
  /** Closes the server and all connections at once, as if its process was killed. */
  kill(): Promise<void>
  /** Listens on the same port again. */
  revive(): Promise<void>
}

/**
 * Starts an upstream. It answers the watcher's version requests itself.
 *
 * @param options - `version`: the version in these answers; with null, `answer` receives these requests too.
 */
export async function startFakeUpstream(
  answer: RequestListener,
  { version = '6.14.0', host = '127.0.0.1' }: { version?: string | null; host?: string } = {},
): Promise<FakeUpstream> {
  const received: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const { method = '', url: target = '', headers } = request
    if (target === '/api/v1/app/version' && version !== null) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ version }))
      return
    }
    received.push({ method, target, headers })
    answer(request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const listen = async (port: number) => {
    server.listen(port, host)
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    port,
    server,
    received,
    sockets,
    kill: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    revive: () => listen(port),
  }
}
