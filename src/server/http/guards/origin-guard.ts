import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'
import { isApiRequest } from '#server/http/paths.ts'

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
