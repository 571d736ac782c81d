import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Account, type Accounts, SYSTEM } from './accounts.ts'
import { DetailAnswer } from './fault.ts'
import { readBody, readText } from './read-request.ts'

const MEDIA_COOKIE = 'invokeai_media_token'

/** Routes that need no token. */
const OPEN = ['/api/v1/auth/status', '/api/v1/auth/login', '/api/v1/app/version', '/openapi.json']

/** Image bytes. An `<img>` element requests them with a cookie and without a header. */
const MEDIA = /\/(full|thumbnail)$/

/** Returns the account that sent a request. */
export const userOf = (request: FastifyRequest): Account =>
  (request as { account?: Account }).account ?? SYSTEM

/** Adds the routes for accounts and tokens, and the check that refuses requests without a token. */
export function addAuthRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.addHook('onRequest', async (request) => {
    const path = request.routeOptions.url
    if (!accounts.isMultiUser || path === undefined || OPEN.includes(path)) return
    const bearer = request.headers.authorization?.replace(/^Bearer /, '')
    const token = bearer ?? (MEDIA.test(path) ? cookieOf(request) : undefined)
    if (token === undefined) throw new DetailAnswer(401, 'Authentication required')
    const account = accounts.userOf(token)
    if (account === null) throw new DetailAnswer(401, 'Invalid or expired token')
    Object.assign(request, { account })
    if (bearer !== undefined) Object.assign(request, { bearer })
  })
  app.addHook('onSend', async (request, reply) => {
    const isMedia = MEDIA.test(request.routeOptions.url ?? '')
    if (accounts.isMultiUser && isMedia) reply.header('cache-control', 'private, no-store')
    const { bearer } = request as { bearer?: string }
    const isChange = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(request.method)
    if (bearer === undefined || !isChange || reply.statusCode >= 400) return
    const refreshed = accounts.refreshed(bearer)
    if (refreshed) reply.header('x-refreshed-token', refreshed)
  })

  app.get('/api/v1/auth/status', () => ({
    setup_required: false,
    multiuser_enabled: accounts.isMultiUser,
    strict_password_checking: false,
    admin_email: null,
  }))
  app.post('/api/v1/auth/login', (request, reply) => {
    if (!accounts.isMultiUser) throw new DetailAnswer(403, 'Multiuser mode is disabled')
    const body = readBody(request.body)
    const [email, password] = [readText(body, 'email'), readText(body, 'password')]
    const login = accounts.login(email, password, body.remember_me === true)
    if (login === null) throw new DetailAnswer(401, 'Incorrect email or password')
    setMediaCookie(reply, login.token, login.expires_in)
    return login
  })
  app.post('/api/v1/auth/media-cookie', (request, reply) => {
    const { bearer } = request as { bearer?: string }
    if (bearer !== undefined) setMediaCookie(reply, bearer)
    return { success: true }
  })
  app.post('/api/v1/auth/logout', (_request, reply) => {
    setMediaCookie(reply, '', 0)
    return { success: true }
  })
  app.get('/api/v1/auth/me', (request) => userOf(request))
}

function setMediaCookie(reply: FastifyReply, token: string, maxAgeS?: number): void {
  const age = maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`
  const cookie = `${MEDIA_COOKIE}=${token}; HttpOnly; SameSite=Lax; Path=/api/v1${age}`
  reply.header('set-cookie', cookie)
}

function cookieOf({ headers }: FastifyRequest): string | undefined {
  const cookies = (headers.cookie ?? '').split('; ').map((each) => each.split('='))
  return cookies.find(([name]) => name === MEDIA_COOKIE)?.[1]
}
