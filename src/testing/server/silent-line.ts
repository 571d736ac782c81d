import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy that can fall silent, as when a machine sleeps or a process hangs: no connection is closed. */
export interface SilentLine {
  /** Without a trailing slash. */
  readonly url: string
  fallSilent(): void
  /** Delivers everything that was sent meanwhile. */
  speakAgain(): void
  /** Answers again without the earlier connections, as after a restart of the machine. */
  forgetAndSpeak(): void
  close(): Promise<void>
}

/** Starts a proxy that forwards data in both directions. */
export async function openSilentLine(targetUrl: string): Promise<SilentLine> {
  const target = new URL(targetUrl)
  let sockets = new Set<Socket>()
  const forgotten = new Set<Socket>()
  let isSilent = false
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
      if (isSilent) one.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const speakAgain = () => {
    isSilent = false
    for (const socket of sockets) socket.resume()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fallSilent: () => {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    speakAgain,
    forgetAndSpeak: () => {
      for (const socket of sockets) forgotten.add(socket)
      sockets = new Set()
      speakAgain()
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of [...sockets, ...forgotten]) socket.destroy()
      await closed
    },
  }
}
