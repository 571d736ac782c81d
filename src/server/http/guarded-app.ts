import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { MAX_JSON_BYTES } from '#contract/limits.ts'
import { Refusal } from '#server/core/refusal.ts'
import { asRefusal, handleError, sendRefusal } from './error-handler.ts'
import { isWebSocketUpgrade, registerUpgrades } from './events/upgrades.ts'
import { registerHostGuard } from './guards/host-guard.ts'
import { registerOriginGuard } from './guards/origin-guard.ts'
import { registerSlowSenders } from './guards/slow-senders.ts'
import { registerTokenGuard, tokenCheck } from './guards/token-guard.ts'
import { clientOf, registerPageCookie } from './limits/client-of.ts'
import { type RateLimits, registerRateLimits } from './limits/rate-limits.ts'
import { buildSerializer } from './serializers.ts'

/** Who is let in, and how much of it. */
export interface GuardOptions {
  rateLimit: RateLimits | 'off'
  token: string | null
  allowedHosts: readonly string[]
  /** Addresses of proxies whose `X-Forwarded-For` counts. */
  trustedProxies: readonly string[]
  logger: FastifyBaseLogger | null
  now: () => number
}

/** The time a whole request may take to arrive: an hour, as a large upload over a slow line may need. */
const REQUEST_TIMEOUT_MS = 3_600_000

/** How long a connection may be silent in the middle of a request: whoever is gone holds nothing for ever. */
const SILENCE_MS = 300_000

/** The time that the head of a request may take to arrive, and how often Node looks. */
const HEADERS_TIMEOUT_MS = 20_000
const CHECK_CONNECTIONS_MS = 5_000

/** Connections at once. A browser has six, a phone as many. */
const MAX_CONNECTIONS = 2_000

/** A search of a thousand characters in any script, each escaped, still fits. */
const MAX_HEADER_BYTES = 64 * 1024

/** What stands in front of every route: host, origin, limits and token are checked, refusals answered. */
export async function createGuardedApp(options: GuardOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    ...(options.logger && { loggerInstance: options.logger }),
    // Addresses may hold a token or a search: they are logged by route, at debug level.
    logController: new LogController({ disableRequestLogging: true }),
    schemaController: { compilersFactory: { buildSerializer } },
    bodyLimit: MAX_JSON_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_MS,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // An address that is no UTF-8 reaches no route.
    frameworkErrors: (error, _request, reply) =>
      void sendRefusal(
        reply,
        asRefusal(error) ?? new Refusal('not_found', undefined, { cause: error }),
      ),
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      shouldUpgradeCallback: isWebSocketUpgrade,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEADER_BYTES },
  })
  app.server.maxConnections = MAX_CONNECTIONS
  app.setErrorHandler(handleError)
  registerSlowSenders(app)
  registerCommonHeaders(app)
  registerHostGuard(app, options.allowedHosts)
  registerOriginGuard(app, options.allowedHosts)
  await app.register(cookie)
  const { token, rateLimit, now } = options
  if (rateLimit !== 'off') {
    const hasToken = token === null ? () => false : tokenCheck(token)
    const needsToken = token !== null
    await registerRateLimits(app, rateLimit, {
      now,
      clientOf: clientOf({ hasToken, needsToken, now }),
    })
  }
  if (token !== null) registerTokenGuard(app, token, { now })
  if (rateLimit !== 'off') registerPageCookie(app) // after the token guard: only for who is let in
  registerUpgrades(app)
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  return app
}

function registerCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'page'
    request.log.debug(
      `${request.method} ${route} ${reply.statusCode} ${reply.elapsedTime.toFixed(1)} ms`,
    )
  })
}
