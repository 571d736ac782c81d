import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy whose connection to a server can be cut, after which it answers nothing. */
export interface InterruptibleProxy {
  /** Without a trailing slash. */
  readonly url: string
  cut(): Promise<void>
  restore(): Promise<void>
}

/** Starts a proxy that forwards data in both directions. */
export async function startInterruptibleProxy(targetUrl: string): Promise<InterruptibleProxy> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => one.destroy())
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  let port = 0
  const restore = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  await restore()
  return {
    url: `http://127.0.0.1:${port}`,
    restore,
    cut: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
