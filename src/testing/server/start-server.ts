import { connect, type TesseraClient } from '#client/index.ts'
import { createServer, type TesseraServer } from '#server/app.ts'
import type { ServerOptions } from '#server/start/server-options.ts'
import { createSettableClock, type SettableClock } from '#testing/settable-clock.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

/** A real server in this process. */
export interface RunningServer {
  /** `http://127.0.0.1:<port>`, without a trailing slash. It does not change at a restart. */
  readonly url: string
  readonly dataFolder: string
  /** The server's clock, which does not advance by itself. Unused with `usesSystemTime`. */
  readonly clock: SettableClock
  readonly client: TesseraClient
  /** The events of the current server. */
  readonly events: TesseraServer['events']
  /** Waits for the background work of earlier requests. */
  settled(): Promise<void>
  /** Closes the server and opens it again on the same data and port. */
  restart(): Promise<void>
  /** Closes the server and removes its data folder if `startServer` created it. */
  close(): Promise<void>
}

/** Options of a server for tests. */
export type ServerOptionsOfTest = Partial<Omit<ServerOptions, 'clock'>> & {
  usesSystemTime?: boolean
  /** Default: a free port. */
  port?: number
  /** Called with each server that is opened, before it listens. */
  beforeListen?: (server: TesseraServer) => void
}

/** Starts a server on a free port with its own empty data folder. Rate limits are off by default. */
export async function startServer(options: ServerOptionsOfTest = {}): Promise<RunningServer> {
  const dataFolder = options.dataFolder ?? (await createTemporaryFolder())
  const clock = createSettableClock()
  const open = async (port: number): Promise<TesseraServer> => {
    const time = options.usesSystemTime ? Date.now : clock
    const server = await createServer({ rateLimit: 'off', ...options, dataFolder, clock: time })
    options.beforeListen?.(server)
    await server.listen({ host: '127.0.0.1', port })
    return server
  }
  let server = await open(options.port ?? 0)
  const url = server.address
  return {
    url,
    dataFolder,
    clock,
    client: connect({ baseUrl: url }),
    get events() {
      return server.events
    },
    settled: () => server.settled(),
    restart: async () => {
      await server.close()
      server = await open(Number(new URL(url).port))
    },
    close: async () => {
      await server.close()
      if (options.dataFolder === undefined) await removeFolder(dataFolder)
    },
  }
}
