import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy that can stall, as when a machine sleeps or a process hangs: no connection is closed. */
export interface StallingProxy {
  /** Without a trailing slash. */
  readonly url: string
  stall(): void
  /** Delivers everything that was sent meanwhile. */
  resume(): void
  /** Answers again without the earlier connections, as after a restart of the machine. */
  resumeWithoutConnections(): void
  close(): Promise<void>
}

/** Starts a proxy that forwards data in both directions. */
export async function startStallingProxy(targetUrl: string): Promise<StallingProxy> {
  const target = new URL(targetUrl)
  let sockets = new Set<Socket>()
  const abandoned = new Set<Socket>()
  let isStalled = false
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
      if (isStalled) one.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const resume = () => {
    isStalled = false
    for (const socket of sockets) socket.resume()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall: () => {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    resume,
    resumeWithoutConnections: () => {
      for (const socket of sockets) abandoned.add(socket)
      sockets = new Set()
      resume()
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of [...sockets, ...abandoned]) socket.destroy()
      await closed
    },
  }
}
