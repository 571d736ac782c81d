import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Account, type Accounts, SYSTEM } from './accounts.ts'
import { isInternal } from './internal-requests.ts'

const MEDIA_COOKIE = 'invokeai_media_token'

/** Routes that need a token. */
const GUARDED = /^\/api\/v1\/(?!auth\/(status|login)$|app\/version$)/

/** Image bytes. An `<img>` element requests them with a cookie and without a header. */
const MEDIA = /\/(full|thumbnail)$/

/** Returns the account that sent a request. */
export const userOf = (request: FastifyRequest): Account =>
  (request as { account?: Account }).account ?? SYSTEM

/** Adds the routes for accounts and tokens, and the check that refuses requests without a token. */
export function addAuthRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.addHook('onRequest', async (request, reply) => {
    const path = request.routeOptions.url ?? ''
    if (!accounts.isMultiUser || isInternal(request) || !GUARDED.test(path)) return
    const bearer = request.headers.authorization?.replace(/^Bearer /, '')
    const token = bearer ?? (MEDIA.test(path) ? cookieOf(request) : undefined)
    const account = token === undefined ? null : accounts.userOf(token)
    if (account === null) {
      const detail = token === undefined ? 'Authentication required' : 'Invalid or expired token'
      return reply.code(401).send({ detail })
    }
    Object.assign(request, { account, bearer })
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

  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.url !== '/api/v1/auth/status') return
    return reply.send({
      setup_required: false,
      multiuser_enabled: accounts.isMultiUser,
      strict_password_checking: false,
      admin_email: null,
    })
  })
  app.post('/api/v1/auth/login', (request, reply) => {
    if (!accounts.isMultiUser) return reply.code(403).send({ detail: 'Multiuser mode is disabled' })
    const { email, password, remember_me } = request.body as Record<string, unknown>
    const login = accounts.login(String(email), String(password), remember_me === true)
    if (login === null) return reply.code(401).send({ detail: 'Incorrect email or password' })
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
