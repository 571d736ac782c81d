import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP relay in front of a server. Tests interrupt the connections that it forwards. */
export interface Relay {
  /** Without a trailing slash. It does not change after a cut. */
  readonly url: string
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>
  restore(): Promise<void>
  /** Cuts once so many further bytes were forwarded to the server. */
  cutAfter(bytes: number): void
  /** Closes only the connection that forwards so many further bytes to the server. */
  breakAfter(bytes: number): void
  /** Number of bytes that were forwarded to the server. */
  readonly forwardedBytes: number
  /** Closes all event sockets and refuses new ones. Requests are still answered. */
  cutEvents(): void
  restoreEvents(): void
  /** Stops forwarding without closing a connection, as when a machine sleeps or a process hangs. */
  stall(): void
  /** Delivers everything that was sent meanwhile. */
  resume(): void
  /** Forwards new connections only, as after a restart of the machine. */
  resumeWithoutConnections(): void
  close(): Promise<void>
}

const EVENT_REQUEST = /^GET \/ws\b/

/** Starts a relay that forwards data in both directions. */
export async function startRelay(targetUrl: string): Promise<Relay> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  const eventSockets = new Set<Socket>()
  const abandoned = new Set<Socket>()
  let isStalled = false
  let areEventsCut = false
  let forwardedBytes = 0
  let ends: { at: number; work: (near: Socket) => unknown }[] = []

  const watch = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      for (const set of [sockets, eventSockets, abandoned]) set.delete(socket)
    })
  }
  const forward = (near: Socket, first: Buffer) => {
    if (EVENT_REQUEST.test(first.toString('latin1', 0, 16))) {
      if (areEventsCut) return near.destroy()
      eventSockets.add(near)
    }
    const far = connect(Number(target.port), target.hostname)
    watch(far)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
    far.write(first)
    near.pipe(far).pipe(near)
    near.on('data', ({ length }) => {
      forwardedBytes += length
      const reached = ends.filter(({ at }) => forwardedBytes >= at)
      ends = ends.filter(({ at }) => forwardedBytes < at)
      for (const { work } of reached) work(near)
    })
  }
  const server = createServer((near) => {
    watch(near)
    if (isStalled) near.pause()
    near.once('data', (first) => forward(near, first))
  })
  let port = 0
  const listen = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of [...sockets, ...abandoned]) socket.destroy()
    await closed
  }
  const resume = () => {
    isStalled = false
    for (const socket of sockets) socket.resume()
  }
  await listen()
  return {
    url: `http://127.0.0.1:${port}`,
    cut: close,
    restore: listen,
    cutAfter: (bytes) => {
      ends.push({ at: forwardedBytes + bytes, work: close })
    },
    breakAfter: (bytes) => {
      ends.push({ at: forwardedBytes + bytes, work: (near) => near.destroy() })
    },
    get forwardedBytes() {
      return forwardedBytes
    },
    cutEvents: () => {
      areEventsCut = true
      for (const socket of eventSockets) socket.destroy()
    },
    restoreEvents: () => {
      areEventsCut = false
    },
    stall: () => {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    resume,
    resumeWithoutConnections: () => {
      for (const socket of sockets) abandoned.add(socket)
      sockets.clear()
      resume()
    },
    close,
  }
}
