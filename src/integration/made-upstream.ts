import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** What reached an upstream. */
export interface Reached {
  method: string
  target: string
  headers: IncomingMessage['headers']
}

/** A server that answers as a test wants it, and keeps what reached it. */
export interface MadeUpstream {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string
  readonly port: number
  readonly server: Server
  /** All but what the watcher asks. */
  readonly reached: Reached[]
  /** Connections that are open now. */
  readonly sockets: ReadonlySet<Socket>
  /** Ends at once, as a process does that is killed. */
  kill(): Promise<void>
  /** Listens again where it did. */
  revive(): Promise<void>
}

/**
 * Makes an upstream. It answers the watcher's question for a version by itself, unless told otherwise.
 *
 * @param options - `version`: what it says then; null leaves it to `answer`.
 */
export async function makeUpstream(
  answer: RequestListener,
  { version = '6.14.0', host = '127.0.0.1' }: { version?: string | null; host?: string } = {},
): Promise<MadeUpstream> {
  const reached: Reached[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const { method = '', url: target = '', headers } = request
    if (target === '/api/v1/app/version' && version !== null) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ version }))
      return
    }
    reached.push({ method, target, headers })
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
    reached,
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
