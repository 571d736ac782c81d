import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join, resolve, sep } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SHARE_PATH } from '#contract/uploads/upload-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { sendNotice } from '#server/http/bytes/send-notice.ts'
import { isApiRequest } from './paths.ts'

/** The page loads only its own resources, and images from the store that this server redirects to. Some components add style elements, so inline styles are allowed. */
const securityPolicyOf = (imageOrigin: string | undefined): string => {
  const source = imageOrigin === undefined ? '' : ` ${imageOrigin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' blob: data:${source}`,
    "font-src 'self'",
    "connect-src 'self' blob:",
    `media-src 'self' blob:${source}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const notBuilt = `Tessera's server is running, but no page is built.
Run "npm run build" in the clone, or use the API: /openapi.json
`

/** Path of the reference of the API, where InvokeAI has its own. */
const referencePath = /^\/docs\/?$/

const hashedAsset = /^\/assets\//

/** Monitoring tools would mistake the page for a healthy server here. The real route is `/api/v1/health`. */
const healthProbe = /^\/healthz?\/?$/

interface PageOptions {
  pageFolder?: string | null
  basePath?: string
  /** Origin of the store that this server redirects to for images. */
  imageOrigin?: string | undefined
}

/**
 * Serves the files of the page, the reference of the API, and `index.html` for every other path, because the page has
 * its own router. A missing file with an extension, a health probe and an unknown path below `/api/` answer 404 in JSON.
 */
export async function registerPage(
  app: FastifyInstance,
  { pageFolder: folder = null, basePath = '', imageOrigin }: PageOptions,
): Promise<void> {
  const policy = securityPolicyOf(imageOrigin)
  // The build writes a `.br` and a `.gz` next to each text file.
  const root = folder ?? process.cwd()
  await app.register(staticFiles, { serve: false, root, preCompressed: true })

  // Called if the service worker is not active yet. It does not read the body, because any website can post one.
  const refuseShare = async (_request: FastifyRequest, reply: FastifyReply) =>
    sendNotice(
      reply.code(405).header('allow', 'GET, HEAD'),
      'Nothing was shared',
      'Tessera could not receive images yet. <a href="./">Open Tessera</a>, wait ten seconds, then share the images again.',
    )
  app.post(SHARE_PATH, { schema: { hide: true }, onRequest: refuseShare }, refuseShare)

  app.setNotFoundHandler((request, reply) => {
    if (isApiRequest(request)) throw new Refusal('not_found')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Refusal('method_not_allowed')
    }
    reply.header('content-security-policy', policy)
    return sendPage({ folder, basePath }, request, reply)
  })
}

/** True if the path names a file of the page. A path that leads outside the folder never does. */
function isFile(folder: string, pathname: string): boolean {
  try {
    const path = resolve(folder, `.${decodeURIComponent(pathname)}`)
    const isInside = path.startsWith(resolve(folder) + sep) && !path.includes('\0')
    return isInside && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)
  } catch {
    return false // not UTF-8, or a path that the operating system rejects, such as one that is too long
  }
}

function sendPage(
  { folder, basePath }: { folder: string | null; basePath: string },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (folder === null || !existsSync(join(folder, 'index.html'))) {
    return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
  }
  const { pathname } = new URL(`http://host${request.url}`)
  if (pathname !== '/' && isFile(folder, pathname)) {
    const isHashed = hashedAsset.test(pathname)
    reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    return reply.sendFile(pathname, folder, { cacheControl: false })
  }
  // Requested by a page of an older build (assets), or by browsers and crawlers (`/favicon.ico`).
  if (hashedAsset.test(pathname) || healthProbe.test(pathname) || extname(pathname) !== '')
    throw new Refusal('not_found')
  reply.header('cache-control', 'no-cache')
  const file = referencePath.test(pathname) ? 'docs.html' : 'index.html'
  if (basePath === '') return reply.sendFile(file, folder, { cacheControl: false })
  const html = readFileSync(join(folder, file), 'utf8')
  const base = html.replace('<base href="/"', `<base href="${basePath}/"`)
  return reply.type('text/html; charset=utf-8').send(base)
}
