import { connect, type TesseraClient } from '#client/index.ts'
import { createServer, type ServerOptions, type TesseraServer } from '#server/app.ts'
import { createSettableClock, type SettableClock } from '#testing/settable-clock.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

/** A real server in this process. */
export interface RunningServer {
  /** `http://127.0.0.1:<port>`, without a slash at the end. It stays the same over a restart. */
  readonly url: string
  readonly dataFolder: string
  /** The server's time, which stands still until a test moves it. Unused with `usesSystemTime`. */
  readonly clock: SettableClock
  readonly client: TesseraClient
  /** What happens in the server that runs now. */
  readonly events: TesseraServer['events']
  /** Waits for the work that requests began. */
  settled(): Promise<void>
  /** Closes and opens again on the same data and port. */
  restart(): Promise<void>
  /** Closes, and removes the data folder where it was made here. */
  close(): Promise<void>
}

/** Options of a server for tests. */
export type ServerOptionsOfTest = Partial<Omit<ServerOptions, 'clock'>> & {
  usesSystemTime?: boolean
}

/**
 * Starts a server on a free port with an empty data folder of its own. Limits are off unless they are
 * among the options.
 */
export async function startServer(options: ServerOptionsOfTest = {}): Promise<RunningServer> {
  const dataFolder = options.dataFolder ?? (await createTemporaryFolder())
  const clock = createSettableClock()
  const open = async (port: number): Promise<TesseraServer> => {
    const time = options.usesSystemTime ? Date.now : clock
    const server = await createServer({ rateLimit: 'off', ...options, dataFolder, clock: time })
    await server.listen({ host: '127.0.0.1', port })
    return server
  }
  let server = await open(0)
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
