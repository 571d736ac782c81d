import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type AccountOptions, Accounts } from './accounts.ts'
import { addAuthRoutes, userOf } from './auth-routes.ts'
import { addBoardImageRoutes } from './board-image-routes.ts'
import { addBoardRoutes } from './board-routes.ts'
import { addDownloadRoutes } from './download-routes.ts'
import { Engine } from './engine.ts'
import { DetailAnswer, InvalidRequest } from './fault.ts'
import { addGalleryRoutes } from './gallery-routes.ts'
import { addImageRoutes } from './image-routes.ts'
import { Library } from './library.ts'
import { Queue } from './queue.ts'
import { addQueueRoutes } from './queue-routes.ts'
import { Sockets } from './sockets.ts'
import { traitsOf } from './version.ts'

/** A fake InvokeAI server. */
export interface FakeInvokeAi {
  /** `http://127.0.0.1:<port>`, without a trailing slash. It does not change at a restart. */
  readonly url: string
  readonly library: Library
  readonly queue: Queue
  /** Executes queue items, by itself or under the control of a test. */
  readonly engine: Engine
  readonly accounts: Accounts
  /** Returns the number of sockets that have subscribed to the queue. */
  subscriberCount(): number
  /** Delays every answer by this many milliseconds, as InvokeAI does while it loads a model. */
  slowDown(ms: number): void
  /** Stops at once and cuts every connection, as if its process was killed. */
  kill(): Promise<void>
  /** Starts on the same port with the same data, as a server with a disk does. */
  start(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

/** Options of the fake server. */
export interface FakeOptions {
  /** Folder of static files to serve as its page. */
  pageFolder?: string
  /** The default is 6.14.2. With other versions the fake reproduces their known differences. */
  version?: string
  /** With accounts, the server is in multi-user mode. */
  accounts?: readonly AccountOptions[]
}

const VERSION = '6.14.2'

const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/**
 * Starts a fake InvokeAI server: boards, images, queue, events and accounts as observed on a real server,
 * without Tessera's extensions. It has no models and draws a simple image instead of generating one.
 */
export async function startFakeInvokeAi(options: FakeOptions = {}): Promise<FakeInvokeAi> {
  const library = new Library()
  const queue = new Queue()
  const engine = new Engine(queue, library)
  const accounts = new Accounts(options.accounts ?? [])
  const pace = { answerMs: 0 }
  const parts = { library, queue, accounts, pace }
  const { sockets: traits } = traitsOf(options.version ?? VERSION)
  let stop = async () => {}
  let subscriberCount = () => 0
  const start = async (port: number) => {
    const app = await buildApp(parts, options)
    const sockets = new Sockets(app.server, {
      ...traits,
      userOf: (token) => {
        const account = accounts.userOf(token)
        return account && { userId: account.user_id, isAdmin: account.is_admin }
      },
    })
    subscriberCount = () => sockets.subscriberCount
    queue.tell = (...event) => sockets.tell(...event)
    stop = async () => {
      engine.stop()
      // In parallel: Socket.IO waits for every connection, and only the app closes idle ones.
      await Promise.all([sockets.close(), app.close()])
    }
    const url = await app.listen({ host: '127.0.0.1', port })
    engine.start()
    return url
  }
  const url = await start(0)
  const port = Number(new URL(url).port)
  const again = async () => void (await start(port))
  return {
    ...parts,
    url,
    engine,
    subscriberCount: () => subscriberCount(),
    slowDown: (ms) => {
      pace.answerMs = ms
    },
    kill: () => stop(),
    start: again,
    restart: async () => {
      await stop()
      await again()
    },
    close: () => stop(),
  }
}

interface Parts {
  library: Library
  queue: Queue
  accounts: Accounts
  pace: { answerMs: number }
}

async function buildApp(
  { library, queue, accounts, pace }: Parts,
  { pageFolder, version = VERSION }: FakeOptions,
): Promise<FastifyInstance> {
  const traits = traitsOf(version)
  const app = fastify({ exposeHeadRoutes: false, forceCloseConnections: true })
  await app.register(compress, { encodings: ['gzip'], threshold: 0 })
  await app.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY } })
  readBodiesLeniently(app)
  app.addHook('onRequest', async () => {
    if (pace.answerMs > 0) await setTimeout(pace.answerMs)
  })
  if (traits.hasAccounts) addAuthRoutes(app, accounts)
  addBoardRoutes(app, library, accounts)
  addImageRoutes(app, library)
  addBoardImageRoutes(app, library)
  addDownloadRoutes(app, {
    library,
    tell: (...event) => queue.tell(...event),
    isMultiUser: accounts.isMultiUser,
  })
  if (traits.hasGallery) addGalleryRoutes(app, library)
  const ownerOf = (request: FastifyRequest) => userOf(request).user_id
  addQueueRoutes(app, queue, { userOf: ownerOf, hasSummaries: traits.hasSummaries })
  app.get('/api/v1/app/version', () => ({ version }))
  app.get('/openapi.json', () => ({
    openapi: '3.1.0',
    info: { title: 'Invoke - Community Edition', version: '1.0.0' },
    paths: {},
  }))
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof DetailAnswer) {
      return reply.code(error.status).send({ detail: error.message })
    }
    if (error instanceof InvalidRequest) return reply.code(422).send({ detail: error.faults })
    return reply.code(500).type('text/plain').send('Internal Server Error')
  })
  // InvokeAI answers GET and HEAD of unknown paths with its page and status 200, and a wrong method with 405.
  app.setNotFoundHandler((request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return reply.code(405).send({ detail: 'Method Not Allowed' })
    }
    return sendPage(reply, pageFolder, request.url)
  })
  return app
}

/** Treats an empty body, and one without or with another content type, as missing. InvokeAI does the same. */
function readBodiesLeniently(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(String(text)))
    } catch (error) {
      const ctx = { error: error instanceof Error ? error.message : '' }
      const fault = {
        type: 'json_invalid',
        loc: ['body', 0],
        msg: 'JSON decode error',
        input: {},
        ctx,
      }
      done(new InvalidRequest([fault]))
    }
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null))
}

async function sendPage(reply: FastifyReply, pageFolder: string | undefined, url: string) {
  const path = normalize(decodeURIComponent(new URL(url, 'http://fake').pathname))
  const mediaType = MEDIA_TYPES[extname(path)]
  if (pageFolder !== undefined && mediaType !== undefined) {
    const bytes = await readFile(join(pageFolder, path)).catch(() => null)
    if (bytes !== null) return reply.type(mediaType).send(bytes)
  }
  const page = pageFolder === undefined ? '<!doctype html>' : join(pageFolder, 'index.html')
  return reply
    .header('cache-control', 'max-age=0, no-cache, no-store, , must-revalidate')
    .header('pragma', 'no-cache')
    .header('expires', '0')
    .type('text/html; charset=utf-8')
    .send(pageFolder === undefined ? page : await readFile(page))
}
