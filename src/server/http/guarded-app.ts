import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { MAX_JSON_BYTES } from '#contract/limits.ts'
import { REFUSAL_CODE_HEADER, type RefusalCode, refusals } from '#contract/refusal.ts'
import type { Clock } from '#server/core/clock.ts'
import { LocalRequestLimits, type RequestLimits } from '#server/core/limits/request-limits.ts'
import { Refusal } from '#server/core/refusal.ts'
import { buildSerializer } from '#server/http/bytes/serializers.ts'
import { isWebSocketUpgrade, registerUpgrades } from '#server/http/events/event-routes.ts'
import {
  pathOfTarget,
  registerHostGuard,
  registerOriginGuard,
} from '#server/http/guards/host-guard.ts'
import { registerSlowSenders } from '#server/http/guards/slow-senders.ts'
import { registerTokenGuard, tokenCheck } from '#server/http/guards/token-guard.ts'
import { clientOf, registerPageCookie } from '#server/http/limits/client-of.ts'
import { type RateLimits, registerRateLimits } from '#server/http/limits/rate-limits.ts'
import { asRefusal, handleError, sendRefusal } from './error-handler.ts'
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts'

/** Options of a server with and without its own library. */
export interface AppOptions {
  rateLimit: RateLimits | 'off'
  /** Required token for the API and the page. Default: null, no token. */
  token?: string | null
  /** Accepted host names, in addition to loopback and the address of the connection. */
  allowedHosts?: readonly string[]
  /** Origins of other websites that may use the API, such as `http://localhost:5173`. */
  allowedOrigins?: readonly string[]
  /** Addresses of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies?: readonly string[]
  /** Path below which a proxy serves the gallery, such as `/gallery`. Requests may include it. Default: none. */
  basePath?: string
  /** Folder of the built page; null: only the API. */
  pageFolder?: string | null
  /** Default: no log. */
  logger?: FastifyBaseLogger | null
  clock?: Clock
}

/** Time limit for a complete request: one hour, for large uploads over slow connections. */
const REQUEST_TIMEOUT_MS = 3_600_000

/** Time limit without traffic within a request, so that a dead connection is closed. */
const SILENCE_MS = 300_000

/** Time limit for the request headers, and the interval of Node's check. */
const HEADERS_TIMEOUT_MS = 20_000
const CHECK_CONNECTIONS_MS = 5_000

/** Limit of concurrent connections. A browser opens six per host. */
const MAX_CONNECTIONS = 2_000

/** Fits a search of a thousand characters of any script, percent-encoded. */
const MAX_HEADER_BYTES = 64 * 1024

/**
 * Creates a Fastify app that checks host, origin, limits and token before every route, and answers refusals.
 *
 * @param limits - Counts the requests. Default: in this process.
 */
export async function createGuardedApp(
  options: AppOptions,
  limits: RequestLimits = new LocalRequestLimits(options.clock ?? Date.now),
): Promise<FastifyInstance> {
  const { rateLimit, token = null, allowedHosts = [], allowedOrigins = [] } = options
  const { basePath = '', trustedProxies = [], logger = null, clock: now = Date.now } = options
  const app: FastifyInstance = Fastify({
    ...(logger && { loggerInstance: logger }),
    genReqId: requestIdOf(trustedProxies),
    // URLs can contain a token or search text. Requests are logged by route instead, at debug level.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    schemaController: { compilersFactory: { buildSerializer } },
    bodyLimit: MAX_JSON_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_MS,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // `registerStopping` answers these requests.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    rewriteUrl: ({ url = '/' }) => withoutBase(pathOfTarget(url), basePath),
    // A URL that is not valid UTF-8 reaches no route and no hook.
    frameworkErrors: (error, _request, reply) =>
      void sendRefusal(
        reply.headers(commonHeaders),
        asRefusal(error) ?? new Refusal('not_found', undefined, { cause: error }),
      ),
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false, // the host guard refuses it with a JSON body
      shouldUpgradeCallback: isWebSocketUpgrade,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEADER_BYTES },
  })
  app.server.maxConnections = MAX_CONNECTIONS
  app.setErrorHandler(handleError)
  // Node would answer an unknown `Expect` header with an empty 417. It may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  registerSlowSenders(app)
  registerCommonHeaders(app)
  registerStopping(app)
  registerHostGuard(app, allowedHosts)
  registerOriginGuard(app, allowedHosts, allowedOrigins)
  await app.register(cookie)
  if (rateLimit !== 'off') {
    const hasToken = token === null ? () => false : tokenCheck(token)
    const needsToken = token !== null
    registerRateLimits(app, rateLimit, { limits, clientOf: clientOf({ hasToken, needsToken }) })
  }
  if (token !== null) registerTokenGuard(app, token, { now, basePath })
  if (rateLimit !== 'off') registerPageCookie(app) // after the token guard: only signed-in browsers get it
  registerUpgrades(app)
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  return app
}

/** A proxy may remove the base path from a request, or keep it. */
const withoutBase = (path: string, basePath: string): string => {
  if (basePath === '' || !path.startsWith(basePath)) return path
  const rest = path.slice(basePath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : path
}

const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Errors of Node's HTTP parser that have a specific refusal code. All others are `bad_request`. */
const refusalCodesOfParser: Readonly<Record<string, RefusalCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Answers a request that Node's parser rejects. No Fastify hook sees it. */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // Like Node's default handler: do not write into a response that has already begun.
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: ServerResponse | null }
  if (!socket.writable || current?.headersSent) {
    socket.destroy()
    return
  }
  const code = refusalCodesOfParser[error.code ?? ''] ?? 'bad_request'
  const { status, detail } = refusals[code]
  const body = JSON.stringify({ detail })
  const headers = {
    ...commonHeaders,
    [REFUSAL_CODE_HEADER]: code,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroy(),
  )
}

/** Refuses requests that arrive on open connections during shutdown. */
function registerStopping(app: FastifyInstance): void {
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onRequest', async (_request, reply) => {
    if (!isStopping) return
    reply.header('connection', 'close')
    throw new Refusal('stopping')
  })
}

function registerCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders)
    reply.header(REQUEST_ID_HEADER, request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'page'
    const { method } = request
    const { statusCode: status, elapsedTime: ms } = reply
    request.log.debug(
      { method, route, status, ms },
      `${method} ${route} ${status} ${ms.toFixed(1)} ms`,
    )
  })
}
