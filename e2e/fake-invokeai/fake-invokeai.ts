import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { addBoardImageRoutes } from './board-image-routes.ts'
import { addBoardRoutes } from './board-routes.ts'
import { addDownloadRoutes } from './download-routes.ts'
import { DetailAnswer, InvalidRequest } from './fault.ts'
import { addImageRoutes } from './image-routes.ts'
import { Library } from './library.ts'

/** A fake of an InvokeAI 6.14 server in single-user mode. */
export interface FakeInvokeAi {
  /** `http://127.0.0.1:<port>`, without a slash at the end. It stays the same over a restart. */
  readonly url: string
  readonly library: Library
  /** Stops and starts again with what it had, as a server does whose data lie on a disk. */
  restart(): Promise<void>
  close(): Promise<void>
}

const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/**
 * Starts a fake of InvokeAI: boards and images as wire.md 0 to 3 saw them on a real one, and none of our
 * extensions. It has neither models nor queue nor Socket.IO.
 *
 * @param options - `pageFolder`: what it serves as its page, as InvokeAI serves its own.
 */
export async function startFakeInvokeAi(
  options: { pageFolder?: string } = {},
): Promise<FakeInvokeAi> {
  const library = new Library()
  let app = await buildApp(library, options.pageFolder)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = new URL(url)
  return {
    url,
    library,
    restart: async () => {
      await app.close()
      app = await buildApp(library, options.pageFolder)
      await app.listen({ host: '127.0.0.1', port: Number(port) })
    },
    close: () => app.close(),
  }
}

async function buildApp(library: Library, pageFolder?: string): Promise<FastifyInstance> {
  const app = fastify({ exposeHeadRoutes: false, forceCloseConnections: true })
  await app.register(compress, { encodings: ['gzip'], threshold: 0 })
  await app.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY } })
  readBodiesLeniently(app)
  addBoardRoutes(app, library)
  addImageRoutes(app, library)
  addBoardImageRoutes(app, library)
  addDownloadRoutes(app, library)
  app.get('/api/v1/app/version', () => ({ version: '6.14.0-alpha' }))
  app.get('/api/v1/auth/status', () => ({
    setup_required: false,
    multiuser_enabled: false,
    strict_password_checking: false,
    admin_email: null,
  }))
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
