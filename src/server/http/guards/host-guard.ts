import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'

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
    if (!isAllowed(request)) throw new Refusal('host_not_allowed')
  })
}
