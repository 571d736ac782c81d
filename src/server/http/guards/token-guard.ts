import { createHash, timingSafeEqual } from 'node:crypto'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LIMIT_WINDOW_MS, WRONG_TOKENS_PER_MINUTE } from '#contract/limits.ts'
import { RecentKeys } from '#server/core/limits/recent-keys.ts'
import { Refusal } from '#server/core/refusal.ts'
import { browserCookie } from '#server/http/browser-cookie.ts'
import { sendNotice } from '#server/http/bytes/send-notice.ts'
import { isApiRequest } from '#server/http/paths.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares in constant time, for any lengths. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

const tokenCookie = browserCookie('tessera')

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** A page that redirects itself: after a redirect from another site, browsers send no `SameSite=Strict` cookie. */
const redirectPage = (link: string) => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>Tessera</title><meta http-equiv="refresh" content="0;url=${link}">
<a href="${link}">Open the gallery</a></html>`

/** Returns the URL without its token. */
const cleanAddressOf = (url: string): string => {
  const { pathname, searchParams } = new URL(`http://host${url}`)
  searchParams.delete('token')
  const query = searchParams.toString()
  const path = pathname.replace(/^\/+/, '/') // `//elsewhere` would redirect to another host
  return query ? `${path}?${query}` : path
}

/** The cookie contains a hash, not the token itself. */
const cookieValueOf = (token: string): string =>
  digest(`tessera cookie ${token}`).toString('base64url')

/** Returns the credentials of a request (link parameter, header and cookie) as one string, or null without any. */
const credentialsOf = (request: FastifyRequest): string | null => {
  const credentials = [
    isApiRequest(request) ? undefined : (request.query as Record<string, unknown>).token,
    request.headers.authorization,
    tokenCookie.get(request),
  ]
  return credentials.every((each) => each === undefined || each === '')
    ? null
    : JSON.stringify(credentials)
}

/** Returns the seconds until an address with these wrong tokens may try again, or 0. */
const waitSFor = (wrong: ReadonlyMap<string, number>, now: number): number => {
  if (wrong.size < WRONG_TOKENS_PER_MINUTE) return 0
  return Math.ceil((Math.min(...wrong.values()) + LIMIT_WINDOW_MS - now) / 1000)
}

/** Returns a function that checks a request for the token, as a bearer header or a cookie. */
export function tokenCheck(token: string): (request: FastifyRequest) => boolean {
  const cookieValue = cookieValueOf(token)
  return (request) => {
    const bearer = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (bearer !== undefined && isSame(bearer.trim(), token)) return true
    // The bearer header may belong to the server behind this proxy, so the cookie is checked too.
    const value = tokenCookie.get(request)
    return value !== undefined && isSame(value, cookieValue)
  }
}

/**
 * Protects the API and the page with one token, sent as a bearer header or as a cookie. Opening the printed link sets
 * the cookie. Requires `@fastify/cookie`.
 */
export function registerTokenGuard(
  app: FastifyInstance,
  token: string,
  { now, basePath }: { now: () => number; basePath: string },
): void {
  const cookieValue = cookieValueOf(token)
  const hasToken = tokenCheck(token)
  // By address, on all routes. A repeated token counts once: an old tab that loads many thumbnails is no attack.
  const wrong = new RecentKeys(now)

  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.isPublic) return
    const address = normalizeIP(request.ip)
    const credentials = credentialsOf(request)
    const waitS = credentials === null ? 0 : waitSFor(wrong.of(address), now())
    if (waitS > 0) {
      // The correct token is refused too: otherwise the response would confirm a guess.
      reply.header('retry-after', waitS)
      throw new Refusal('rate_limited', 'Too many wrong tokens from this address.')
    }
    const given = (request.query as Record<string, unknown>).token
    if (!isApiRequest(request) && typeof given === 'string' && isSame(given, token)) {
      return signIn(request, reply, { cookieValue, basePath })
    }
    if (hasToken(request)) return
    if (credentials !== null) wrong.add(address, digest(credentials).toString('base64'))
    if (isApiRequest(request)) {
      reply.header('www-authenticate', 'Bearer')
      throw new Refusal('unauthorized')
    }
    return sendNotice(
      reply.code(401),
      'Open this gallery with its link',
      'Use the link with <code>?token=</code> that the server printed when it started. This browser then remembers it.',
    )
  })
}

function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookieValue, basePath }: { cookieValue: string; basePath: string },
) {
  const address = `${basePath}${cleanAddressOf(request.url)}`
  tokenCookie.set(request, reply, cookieValue)
  const site = request.headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
    ? reply.type('text/html; charset=utf-8').send(redirectPage(escapeHtml(address)))
    : reply.redirect(address, 303)
}
