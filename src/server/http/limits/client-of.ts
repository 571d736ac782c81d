import { randomUUID } from 'node:crypto'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIMIT_WINDOW_MS, MAX_PAGE_CLIENTS } from '#contract/limits.ts'
import { isApiRequest } from '#server/http/paths.ts'

/** Cookies ignore ports, so the name carries it: two servers on one host must not share a cookie. */
const cookieNameOf = (request: FastifyRequest): string =>
  `tessera_page_${request.socket.localPort ?? 0}`

/** The form of a cookie that we set: a UUID. */
const cookieForm = /^[0-9a-f-]{36}$/

/** Addresses whose pages are remembered. */
const MAX_ADDRESSES = 10_000

const YEAR_S = 365 * 24 * 3600

const pageIdOf = (request: FastifyRequest): string | null => {
  const value = request.cookies[cookieNameOf(request)]
  return value !== undefined && cookieForm.test(value) ? value : null
}

interface ClientOptions {
  /** Tells whether a request carries the configured token. */
  hasToken: (request: FastifyRequest) => boolean
  /** The server requires a token. Then a page counts by its cookie only after it has signed in. */
  needsToken: boolean
  now: () => number
}

/**
 * Names the client of a request for the limits: the page of one browser, the holder of the configured
 * token, or an address.
 *
 * The page has its own allowance, so a script on the same machine cannot use it up. An unknown cookie
 * is as good as one that we set, because any script can load the page to get one. What bounds the sum is
 * the number of page clients that an address may have in one window; further ones count for the address.
 * A token counts only if it is the configured one.
 */
export function clientOf({ hasToken, needsToken, now }: ClientOptions) {
  const lastSeen = new Map<string, Map<string, number>>()

  const isAdmitted = (address: string, pageId: string): boolean => {
    const pages = lastSeen.get(address) ?? new Map<string, number>()
    for (const [id, time] of pages) {
      if (time <= now() - LIMIT_WINDOW_MS || time > now()) pages.delete(id)
    }
    if (!pages.has(pageId) && pages.size >= MAX_PAGE_CLIENTS) return false
    pages.set(pageId, now())
    lastSeen.delete(address)
    lastSeen.set(address, pages) // the map is ordered by last use
    const [quietest] = lastSeen.keys()
    if (lastSeen.size > MAX_ADDRESSES && quietest !== undefined) lastSeen.delete(quietest)
    return true
  }

  return (request: FastifyRequest): string => {
    const address = normalizeIP(request.ip)
    const isSignedIn = hasToken(request)
    const pageId = pageIdOf(request)
    if (pageId !== null && (isSignedIn || !needsToken) && isAdmitted(address, pageId)) {
      return `page ${pageId} ${address}`
    }
    return isSignedIn ? 'token' : address
  }
}

/** Gives each browser that opens the page a cookie, which names it for the limits and nothing else. */
export function registerPageCookie(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const isPage = request.method === 'GET' && !isApiRequest(request)
    if (!isPage || request.url.startsWith('/assets/') || pageIdOf(request) !== null) return
    reply.setCookie(cookieNameOf(request), randomUUID(), {
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure: request.protocol === 'https',
      maxAge: YEAR_S,
    })
  })
}
