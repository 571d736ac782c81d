import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { MAX_JSON_BYTES } from '#contract/limits.ts'
import { Refusal } from '#server/core/refusal.ts'
import { registerBodyParsers } from './body-parsers.ts'
import { asRefusal, handleError, sendRefusal } from './error-handler.ts'
import { registerEventRoutes } from './events/event-routes.ts'
import { isWebSocketUpgrade, registerUpgrades } from './events/upgrades.ts'
import { registerHostGuard } from './guards/host-guard.ts'
import { registerOriginGuard } from './guards/origin-guard.ts'
import { registerTokenGuard, tokenCheck } from './guards/token-guard.ts'
import { clientOf } from './limits/client-of.ts'
import { type RateLimits, registerRateLimits } from './limits/rate-limits.ts'
import { DESCRIPTION_PATH, registerOpenapi } from './openapi.ts'
import { registerPage } from './page.ts'
import type { Parts } from './parts.ts'
import { routerPathOf } from './route.ts'
import { routes } from './routes.ts'

/** How the HTTP side behaves. */
export interface HttpOptions {
  version: string
  /** What each type of node takes and gives, by the names of their components. */
  nodeSchemas: Readonly<Record<string, unknown>>
  rateLimit: RateLimits | 'off'
  token: string | null
  allowedHosts: readonly string[]
  /** Addresses of proxies whose `X-Forwarded-For` counts. */
  trustedProxies: readonly string[]
  pageFolder: string | null
  logger: FastifyBaseLogger | null
  now: () => number
}

/** The time a whole request may take to arrive: an hour, as a large upload over a slow line may need. */
const REQUEST_TIMEOUT_MS = 3_600_000

/** How long a connection may be silent in the middle of a request: whoever is gone holds nothing for ever. */
const SILENCE_MS = 300_000

/** A search of a thousand characters in any script, each escaped, still fits. */
const MAX_HEADER_BYTES = 64 * 1024

/** Puts the HTTP side together: guards, limits, the API's routes, its description and the page. */
export async function createHttpApp(parts: Parts, options: HttpOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    ...(options.logger && { loggerInstance: options.logger }),
    // Addresses may hold a token or a search: they are logged by route, at debug level.
    logController: new LogController({ disableRequestLogging: true }),
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
    http: { maxHeaderSize: MAX_HEADER_BYTES, shouldUpgradeCallback: isWebSocketUpgrade },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEADER_BYTES },
  })
  // Requests are read by the contract's schemas before a handler sees them.
  app.setValidatorCompiler(() => () => true)
  app.setErrorHandler(handleError)
  registerCommonHeaders(app)
  registerBodyParsers(app)
  registerHostGuard(app, options.allowedHosts)
  registerOriginGuard(app, options.allowedHosts)
  await app.register(cookie)
  await app.register(multipart, {
    throwFileSizeLimit: false,
    // Browsers name every Blob a file; of ours only `file` is one.
    isPartAFile: (field, _type, fileName) => field === 'file' && fileName !== undefined,
  })
  const { token, rateLimit, now } = options
  if (rateLimit !== 'off') {
    const hasToken = token === null ? () => false : tokenCheck(token)
    await registerRateLimits(app, rateLimit, { now, clientOf: clientOf(hasToken) })
  }
  if (token !== null) registerTokenGuard(app, token)
  registerUpgrades(app)
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  await registerOpenapi(app, options)
  await registerPage(app, options.pageFolder)
  registerRoutes(app, parts)
  registerEventRoutes(app, parts.eventConnections)
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

/** What a known path answers to a method that it has not. */
const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

function registerRoutes(app: FastifyInstance, parts: Parts): void {
  const methodsOf = new Map<string, string[]>([[DESCRIPTION_PATH, ['GET']]])
  for (const route of routes) {
    route.register(app, parts)
    const path = routerPathOf(route.operation)
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), ...route.methods])
  }
  for (const [url, methods] of methodsOf) {
    app.route({
      method: allMethods.filter((method) => !methods.includes(method)),
      url,
      schema: { hide: true },
      handler: async (_request, reply) => {
        reply.header('allow', methods.join(', '))
        throw new Refusal('method_not_allowed')
      },
    })
  }
}
