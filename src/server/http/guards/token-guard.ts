import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#server/core/refusal.ts'
import { isApiRequest } from '#server/http/paths.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares in constant time, whatever the lengths. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

/** Cookies know no ports: two servers of one host must not log each other out. */
const cookieNameOf = (request: FastifyRequest): string => `tessera_${request.socket.localPort ?? 0}`

const YEAR_S = 365 * 24 * 3600

const signInPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tessera</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>
  body { font: 14px/1.6 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 16px; text-align: center }
  h1 { font-size: 20px; margin: 0 0 4px }
  p { margin: 0; max-width: 44ch; opacity: 0.7 }
</style>
<h1>This gallery needs its link</h1>
<p>Open the link with <code>?token=</code> that the server printed when it started. This browser then remembers it.</p></html>`

/** It has nothing but its own style. */
const signInPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** A page that goes on by itself: after a redirect from another site a strict cookie would not be sent. */
const goOnPage = (link: string) => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>Tessera</title><meta http-equiv="refresh" content="0;url=${link}">
<a href="${link}">Open the gallery</a></html>`

/** The address without its token. */
const cleanAddressOf = (url: string): string => {
  const { pathname, searchParams } = new URL(`http://host${url}`)
  searchParams.delete('token')
  const query = searchParams.toString()
  const path = pathname.replace(/^\/+/, '/') // `//elsewhere` would lead to another host
  return query ? `${path}?${query}` : path
}

/** What the cookie holds: enough to be let in, not the token itself. */
const cookieValueOf = (token: string): string =>
  digest(`tessera cookie ${token}`).toString('base64url')

/** Tells whether a request carries the token, as a bearer header or in the cookie. */
export function tokenCheck(token: string): (request: FastifyRequest) => boolean {
  const cookieValue = cookieValueOf(token)
  return (request) => {
    const bearer = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (bearer !== undefined && isSame(bearer.trim(), token)) return true
    // Another bearer may be a login of the server behind this one.
    const value = request.cookies[cookieNameOf(request)]
    return value !== undefined && isSame(value, cookieValue)
  }
}

/**
 * Guards the whole API and the page by one token: as a bearer header, or as a cookie that opening the
 * printed link sets. Cookies must have been read (`@fastify/cookie`).
 */
export function registerTokenGuard(app: FastifyInstance, token: string): void {
  const cookieValue = cookieValueOf(token)
  const hasToken = tokenCheck(token)

  app.addHook('onRequest', async (request, reply) => {
    const given = (request.query as Record<string, unknown>).token
    if (!isApiRequest(request) && typeof given === 'string' && isSame(given, token)) {
      return signIn(request, reply, cookieValue)
    }
    if (hasToken(request)) return
    if (isApiRequest(request)) {
      reply.header('www-authenticate', 'Bearer')
      throw new Refusal('unauthorized')
    }
    reply.code(401).header('content-security-policy', signInPolicy)
    return reply.type('text/html; charset=utf-8').send(signInPage)
  })
}

function signIn(request: FastifyRequest, reply: FastifyReply, cookieValue: string) {
  const address = cleanAddressOf(request.url)
  reply.setCookie(cookieNameOf(request), cookieValue, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
    maxAge: YEAR_S,
  })
  const site = request.headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
    ? reply.type('text/html; charset=utf-8').send(goOnPage(escapeHtml(address)))
    : reply.redirect(address, 303)
}
