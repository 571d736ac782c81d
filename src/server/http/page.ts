import { existsSync, statSync } from 'node:fs'
import { extname, join, resolve, sep } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SHARE_PATH } from '#contract/upload-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { sendNotice } from '#server/http/bytes/send-notice.ts'
import { isApiRequest } from './paths.ts'

/** What the page may load: itself. Some of its parts add style elements, so styles may be inline. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self' blob:",
  "media-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const notBuilt = `Tessera's server is running, but no page is built.
Run "npm run build" in the clone, or use the API: /openapi.json
`

const hashedAsset = /^\/assets\//

/** Asked by monitoring tools, which would take the page for a healthy server. `/api/v1/health` is the route. */
const healthProbe = /^\/healthz?\/?$/

/**
 * Serves the page: its files, and `index.html` for every other address, since the page reads the address
 * itself. Addresses with an extension and no file, health probes and unknown ones below `/api/` are 404 in JSON.
 */
export async function registerPage(app: FastifyInstance, folder: string | null): Promise<void> {
  // The build writes a `.br` and a `.gz` next to each text file.
  const root = folder ?? process.cwd()
  await app.register(staticFiles, { serve: false, root, preCompressed: true })

  // The service worker did not receive this share. Refused before the body is read: any website can post it.
  const refuseShare = async (_request: FastifyRequest, reply: FastifyReply) =>
    sendNotice(
      reply.code(405).header('allow', 'GET, HEAD'),
      'Nothing was shared',
      'Tessera could not receive images yet. <a href="/">Open Tessera</a>, wait ten seconds, then share the images again.',
    )
  app.post(SHARE_PATH, { schema: { hide: true }, onRequest: refuseShare }, refuseShare)

  app.setNotFoundHandler((request, reply) => {
    if (isApiRequest(request)) throw new Refusal('not_found')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Refusal('method_not_allowed')
    }
    return sendPage(folder, request, reply)
  })
}

/** Whether an address names a file of the page. An address that leads outside the folder never does. */
function isFile(folder: string, pathname: string): boolean {
  try {
    const path = resolve(folder, `.${decodeURIComponent(pathname)}`)
    const isInside = path.startsWith(resolve(folder) + sep) && !path.includes('\0')
    return isInside && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)
  } catch {
    return false // not UTF-8, or a path that the system refuses, such as one that is too long
  }
}

function sendPage(folder: string | null, request: FastifyRequest, reply: FastifyReply) {
  reply.header('content-security-policy', contentSecurityPolicy)
  if (folder === null || !existsSync(join(folder, 'index.html'))) {
    return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
  }
  const { pathname } = new URL(`http://host${request.url}`)
  if (pathname !== '/' && isFile(folder, pathname)) {
    const isHashed = hashedAsset.test(pathname)
    reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    return reply.sendFile(pathname, folder, { cacheControl: false })
  }
  // A page of an older build asks for its assets, browsers and crawlers for files such as `/favicon.ico`.
  if (hashedAsset.test(pathname) || healthProbe.test(pathname) || extname(pathname) !== '')
    throw new Refusal('not_found')
  reply.header('cache-control', 'no-cache')
  return reply.sendFile('index.html', folder, { cacheControl: false })
}
