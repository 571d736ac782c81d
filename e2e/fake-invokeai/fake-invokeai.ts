import { connect, type TesseraClient } from '#client/index.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { startServer } from '#testing/server/start-server.ts'
import { SteeredEngine } from '#testing/server/steered-engine.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { addRights } from './account-rights.ts'
import { type AccountOptions, Accounts } from './accounts.ts'
import { addAuthRoutes } from './auth-routes.ts'
import { INTERNAL_HEADER } from './internal-requests.ts'
import { removeExtensions } from './remove-extensions.ts'
import { Sockets } from './sockets.ts'
import { isSince } from './version.ts'

/** Tessera's server as a stand-in for InvokeAI. */
export interface FakeInvokeAi {
  /** `http://127.0.0.1:<port>`, without a trailing slash. It does not change at a restart. */
  readonly url: string
  /** Reads the library without accounts, delays and limits. */
  readonly client: TesseraClient
  /** Executes queue items, by itself or under the control of a test. */
  readonly engine: SteeredEngine
  readonly accounts: Accounts
  /** Returns the number of sockets that have subscribed to the queue. */
  subscriberCount(): number
  /** Delays every answer by this many milliseconds, as InvokeAI does while it loads a model. */
  slowDown(ms: number): void
  /** Cuts every connection and stops. */
  kill(): Promise<void>
  /** Starts on the same port with the same data. */
  start(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

/** Options of the fake server. */
export interface FakeOptions {
  /** Folder of static files to serve as its page. */
  pageFolder?: string
  /** Number of initial images, all uncategorized. Default: 0. */
  imageCount?: number
  /** The default is 6.14.2. With other versions the fake reproduces their known differences. */
  version?: string
  /** With accounts, the server is in multi-user mode. */
  accounts?: readonly AccountOptions[]
}

/** Number and size of the different initial images. */
const SMALL = { pictureCount: 2, longestPx: 48 }

/**
 * Starts Tessera's own server with its extensions removed, and adds InvokeAI's accounts, limits and Socket.IO
 * rooms. Unlike InvokeAI, it stores uploads unconverted, and a search also finds file names.
 */
export async function startFakeInvokeAi(options: FakeOptions = {}): Promise<FakeInvokeAi> {
  const { version = '6.14.2', pageFolder = null, imageCount = 0 } = options
  const dataFolder = await createTemporaryFolder()
  if (imageCount > 0) await fillLibrary(dataFolder, { ...SMALL, imageCount })
  const accounts = new Accounts(options.accounts ?? [])
  const engine = new SteeredEngine()
  const pace = { answerMs: 0 }
  let sockets: Sockets
  const open = (port: number) =>
    startServer({
      ...{ dataFolder, pageFolder, port, usesSystemTime: true },
      openEngine: engine.open,
      beforeListen: ({ app, events }) => {
        removeExtensions(app, { version, pace })
        if (isSince(version, 12)) addAuthRoutes(app, accounts)
        addRights(app, accounts, client)
        // The sockets of the server send every event to every client.
        app.server.removeAllListeners('upgrade')
        sockets = new Sockets(app.server, accounts, version)
        events.listen((event) => sockets.send(event))
      },
    })
  const client = connect({
    baseUrl: 'http://fake',
    fetch: (path, init) => {
      const headers = new Headers(init?.headers)
      headers.set(INTERNAL_HEADER, 'true')
      return fetch(String(path).replace('http://fake', url), { ...init, headers })
    },
  })
  let server = await open(0)
  const { url } = server
  const start = async () => {
    server = await open(Number(new URL(url).port))
  }
  const kill = async () => {
    // In parallel: Socket.IO waits for every connection, and only the server closes idle ones.
    await Promise.all([sockets.close(), server.close()])
  }
  return {
    ...{ url, client, engine, accounts, kill, start },
    subscriberCount: () => sockets.subscriberCount,
    slowDown: (ms) => {
      pace.answerMs = ms
    },
    restart: async () => {
      await kill()
      await start()
    },
    close: async () => {
      await kill()
      await removeFolder(dataFolder)
    },
  }
}
