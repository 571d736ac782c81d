import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Accounts, type AccountWish } from './accounts.ts'
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

/** A fake of an InvokeAI server. */
export interface FakeInvokeAi {
  /** `http://127.0.0.1:<port>`, without a slash at the end. It stays the same over a restart. */
  readonly url: string
  readonly library: Library
  readonly queue: Queue
  /** What works through the queue, by itself or by hand. */
  readonly engine: Engine
  readonly accounts: Accounts
  /** How many sockets have subscribed to the queue. */
  subscriberCount(): number
  /** From now on every answer takes that long, as while a model is being loaded. In milliseconds. */
  slowDown(ms: number): void
  /** Ends at once, as a server does that is killed: every connection is cut. */
  kill(): Promise<void>
  /** Starts on the same port with what it had, as a server does whose data lie on a disk. */
  start(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

/** What kind of server it is. */
export interface FakeOptions {
  /** What it serves as its page, as InvokeAI serves its own. */
  pageFolder?: string
  /** Absent: 6.14.2. Others do what that version did, as far as wire.md tells. */
  version?: string
  /** With any it is in multi-user mode. */
  accounts?: readonly AccountWish[]
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
 * Starts a fake of InvokeAI: boards, images, queue, events and accounts as wire.md 0 to 7 saw them on a
 * real one, and none of our extensions. It has no models: what a model would make, it draws.
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
    queue.tell = (...told) => sockets.tell(...told)
    stop = async () => {
      engine.stop()
      // At once: Socket.IO waits for every connection, and only the app cuts those that ask for nothing.
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
    tell: (...told) => queue.tell(...told),
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
  // GET and HEAD of what nobody knows are the page, with 200; a wrong method is 405 (wire 0).
  app.setNotFoundHandler((request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return reply.code(405).send({ detail: 'Method Not Allowed' })
    }
    return sendPage(reply, pageFolder, request.url)
  })
  return app
}

/** A body of no or another type reads as none, and so does an empty one (wire 0). */
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
