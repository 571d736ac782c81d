import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'
import { isApiRequest } from '#server/http/paths.ts'

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

/** The name in a `Host` header or an address: no port, no brackets, lower case. */
export const hostNameOf = (host: string): string =>
  isIP(host) === 6
    ? host.toLowerCase()
    : host
        .toLowerCase()
        .replace(/:\d+$/, '')
        .replace(/^\[|\]$/g, '')

/** An IPv4 address that arrived on an IPv6 socket, in its own form. */
const plainAddress = (address: string | undefined): string | undefined =>
  address?.replace(/^::ffff:/, '')

/**
 * Removes scheme and host from a request target such as `http://host/path`, which clients send to a proxy.
 * Routes, guards and limits then see the same path as usual. `assertOneHost` compares the host.
 */
export function pathOfTarget(target: string): string {
  if (!absoluteTarget.test(target)) return target
  const path = target.replace(absoluteTarget, '')
  return path.startsWith('/') ? path : `/${path}`
}

const absoluteTarget = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/**
 * Two hosts in one request can make a proxy and this server read it differently.
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
 * Answers only to names that are known to be this server's: a page whose name was rebound to this
 * address (DNS rebinding) sends its own name, and gets nothing.
 */
export function registerHostGuard(app: FastifyInstance, allowedHosts: readonly string[]): void {
  const allowed = new Set(allowedHosts.map(hostNameOf))
  const isAllowed = (request: FastifyRequest): boolean => {
    const name = hostNameOf(request.headers.host ?? '')
    if (loopbackNames.has(name) || allowed.has(name)) return true
    // The address that the connection was made to; a rebound name is never an address.
    return isIP(name) !== 0 && name === plainAddress(request.socket.localAddress)
  }

  app.addHook('onRequest', async (request) => {
    assertOneHost(request)
    if (!isAllowed(request)) throw new Refusal('host_not_allowed')
  })
}

/** Opening an address by itself is no request of the other site: it cannot read the answer. */
const isNavigation = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document'

/**
 * Keeps other sites away from the API, simple form posts and images included. Browsers say where a
 * request comes from in `Origin` and `Sec-Fetch-Site`; programs send neither and are let through.
 */
export function registerOriginGuard(app: FastifyInstance, allowedHosts: readonly string[]): void {
  const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()))
  const isOwn = (origin: string, host = ''): boolean => {
    if (!URL.canParse(origin)) return false // `null`, from a sandbox or a file
    const from = new URL(origin)
    const own = `${from.protocol}//${host}` // read as an address, a default port falls away
    return allowed.has(from.host) || (URL.canParse(own) && new URL(own).host === from.host)
  }

  app.addHook('onRequest', async (request) => {
    const { origin, host, 'sec-fetch-site': site } = request.headers
    if (!isApiRequest(request)) return
    const isForeignOrigin = origin !== undefined && !isOwn(origin, host)
    const isForeignSite = origin === undefined && (site === 'cross-site' || site === 'same-site')
    if (isForeignOrigin || (isForeignSite && !isNavigation(request))) {
      throw new Refusal('origin_not_allowed')
    }
  })
}
