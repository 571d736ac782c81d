import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { REFUSAL_CODE_HEADER } from '#contract/refusal.ts'
import { REFRESHED_TOKEN_HEADER } from '#contract/server/auth-operations.ts'
import { ORIGIN_HEADER } from '#contract/server/change-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { isApiRequest } from '#server/http/paths.ts'
import { REQUEST_ID_HEADER } from '#server/http/request-id.ts'

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

/** Returns the name of a `Host` header or address in lower case, without port and brackets. */
export const hostNameOf = (host: string): string =>
  isIP(host) === 6
    ? host.toLowerCase()
    : host
        .toLowerCase()
        .replace(/:\d+$/, '')
        .replace(/^\[|\]$/g, '')

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const plainAddress = (address: string | undefined): string | undefined =>
  address?.replace(/^::ffff:/, '')

/**
 * Removes scheme and host from an absolute request target such as `http://host/path`, which clients send to a proxy.
 * Routes, guards and limits then see the usual path. `assertOneHost` compares the host.
 */
export function pathOfTarget(target: string): string {
  if (!absoluteTarget.test(target)) return target
  const path = target.replace(absoluteTarget, '')
  return path.startsWith('/') ? path : `/${path}`
}

const absoluteTarget = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/**
 * Refuses requests with two hosts: a proxy and this server could interpret them differently.
 *
 * @throws {Refusal} `bad_request`
 */
function assertOneHost({ raw, originalUrl, headers: { host } }: FastifyRequest): void {
  const names = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (names.length > 1) {
    throw new Refusal('bad_request', 'The request has more than one Host header.')
  }
  if (host === undefined && raw.httpVersion !== '1.0') {
    throw new Refusal('bad_request', 'The request has no Host header.')
  }
  if (!absoluteTarget.test(originalUrl)) return
  const named = `http://${host}`
  const isSame =
    URL.canParse(originalUrl) &&
    URL.canParse(named) &&
    new URL(originalUrl).host === new URL(named).host
  if (!isSame) {
    throw new Refusal('bad_request', 'The address and the Host header name different hosts.')
  }
}

/**
 * Refuses requests whose `Host` is not a name of this server. Protects against DNS rebinding: a page whose name was
 * rebound to this address sends its own name.
 */
export function registerHostGuard(app: FastifyInstance, allowedHosts: readonly string[]): void {
  const allowed = new Set(allowedHosts.map(hostNameOf))
  const isAllowed = (request: FastifyRequest): boolean => {
    const name = hostNameOf(request.headers.host ?? '')
    if (loopbackNames.has(name) || allowed.has(name)) return true
    // The local address of the connection. A rebound name is never an IP address.
    return isIP(name) !== 0 && name === plainAddress(request.socket.localAddress)
  }

  app.addHook('onRequest', async (request) => {
    assertOneHost(request)
    // A probe may name the server as its scheduler does.
    if (request.routeOptions.config.isPublic) return
    if (!isAllowed(request)) throw new Refusal('host_not_allowed')
  })
}

/** Opening a link is not a cross-site request: the other site cannot read the response. */
const isNavigation = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document'

/** Lets a page of an allowed origin send requests with a token, and read the headers of the answers. */
const corsHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': [
    ...['authorization', 'content-type', ORIGIN_HEADER],
    ...['tus-resumable', 'upload-length', 'upload-metadata', 'upload-offset'],
  ].join(', '),
  'access-control-expose-headers': [
    REFUSAL_CODE_HEADER,
    REFRESHED_TOKEN_HEADER,
    REQUEST_ID_HEADER,
    ...['ratelimit', 'ratelimit-policy', 'retry-after', 'content-disposition', 'etag'],
    ...['location', 'tus-resumable', 'upload-offset', 'upload-expires'],
  ].join(', '),
  'access-control-max-age': '600',
}

/**
 * Refuses API requests of other websites, including form posts and `<img>` elements. Browsers state the origin in
 * `Origin` and `Sec-Fetch-Site`. Programs send neither header and pass.
 */
export function registerOriginGuard(
  app: FastifyInstance,
  allowedHosts: readonly string[],
  allowedOrigins: readonly string[],
): void {
  const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()))
  const isOwn = (origin: string, host = ''): boolean => {
    if (!URL.canParse(origin)) return false // `null` is the origin of sandboxed pages and files
    const from = new URL(origin)
    const own = `${from.protocol}//${host}` // URL parsing drops a default port
    return allowed.has(from.host) || (URL.canParse(own) && new URL(own).host === from.host)
  }

  app.addHook('onRequest', async (request, reply) => {
    const { origin, host, 'sec-fetch-site': site } = request.headers
    if (!isApiRequest(request)) return
    if (allowedOrigins.length > 0) reply.header('vary', 'Origin')
    if (origin !== undefined && allowedOrigins.includes(origin)) {
      reply.headers({ ...corsHeaders, 'access-control-allow-origin': origin })
      const isPreflight =
        request.method === 'OPTIONS' && 'access-control-request-method' in request.headers
      return isPreflight ? reply.code(204).send() : undefined
    }
    const isForeignOrigin = origin !== undefined && !isOwn(origin, host)
    const isForeignSite = origin === undefined && (site === 'cross-site' || site === 'same-site')
    if (isForeignOrigin || (isForeignSite && !isNavigation(request))) {
      throw new Refusal('origin_not_allowed')
    }
  })
}
