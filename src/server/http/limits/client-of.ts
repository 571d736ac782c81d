import { randomUUID } from 'node:crypto'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LimitedClient } from '#server/core/limits/request-limits.ts'
import { browserCookie } from '#server/http/browser-cookie.ts'
import { isApiRequest } from '#server/http/paths.ts'

const pageCookie = browserCookie('tessera_page')

/** The format of our cookie value: a UUID. */
const cookieForm = /^[0-9a-f-]{36}$/

const pageIdOf = (request: FastifyRequest): string | null => {
  const value = pageCookie.get(request)
  return value !== undefined && cookieForm.test(value) ? value : null
}

interface ClientOptions {
  /** True if the request carries the configured token. */
  hasToken: (request: FastifyRequest) => boolean
  /** True if the server requires a token. Then a page counts by its cookie only after it has signed in. */
  needsToken: boolean
}

/**
 * Returns the client of a request for the rate limits: the page in one browser, the holder of the configured token,
 * or an address.
 *
 * The page has a separate quota, so that a script on the same machine cannot use it up. Any script can load the page
 * and obtain a cookie, so unknown cookies are accepted too. The total is bounded by the number of page clients per
 * address in one window; further ones count for the address. A token counts only if it is the configured one.
 */
export const clientOf =
  ({ hasToken, needsToken }: ClientOptions) =>
  (request: FastifyRequest): LimitedClient => {
    const address = normalizeIP(request.ip)
    const isSignedIn = hasToken(request)
    const pageId = pageIdOf(request)
    const isPage = pageId !== null && (isSignedIn || !needsToken)
    return {
      client: isSignedIn ? 'token' : address,
      page: isPage ? { id: pageId, address } : null,
    }
  }

/** Sets a cookie in each browser that opens the page. It only identifies the browser for the rate limits. */
export function registerPageCookie(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const isPage = request.method === 'GET' && !isApiRequest(request)
    if (!isPage || request.url.startsWith('/assets/') || pageIdOf(request) !== null) return
    pageCookie.set(request, reply, randomUUID())
  })
}
