import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import {
  type Capabilities,
  invokeAiCapabilities,
  UNKNOWN_VERSION,
} from '#contract/server/app-operations.ts'
import type { UpstreamStatus } from '#contract/server/upstream-operations.ts'
import type { Clock } from '#server/core/clock.ts'
import type { RateLimits } from '#server/http/limits/rate-limits.ts'
import type { Resolve } from '#server/upstream/pinned-lookup.ts'
import { Upstream, type UpstreamTimeouts } from '#server/upstream/upstream.ts'
import { readUpstreamAddress } from '#server/upstream/upstream-address.ts'
import { createUpstreamApp } from '#server/upstream/upstream-app.ts'
import { UpstreamWatch, type WatchTimes } from '#server/upstream/upstream-watch.ts'
import { addressOf, closeWithin } from './listening.ts'
import { version } from './version.ts'

/** Options of a gallery for an InvokeAI. Only `upstream` has no default. */
export interface UpstreamServerOptions {
  /** Origin of the InvokeAI: scheme, host and port, such as `http://127.0.0.1:9090`. */
  upstream: string
  /** Default: no limits, like InvokeAI. */
  rateLimit?: RateLimits | 'off'
  /** Required token for the API and the page. Default: null, no token. */
  token?: string | null
  /** Accepted host names, in addition to loopback and the address of the connection. */
  allowedHosts?: readonly string[]
  /** Origins of other websites that may use the API, such as `http://localhost:5173`. */
  allowedOrigins?: readonly string[]
  /** Addresses of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies?: readonly string[]
  /** Folder of the built page; null: only the API. */
  pageFolder?: string | null
  /** Default: no log. */
  logger?: FastifyBaseLogger | null
  clock?: Clock
  /** Timeouts of requests to the upstream. */
  timeouts?: Partial<UpstreamTimeouts>
  /** Interval of checks of the upstream. */
  watch?: Partial<WatchTimes>
  /** Resolves the host name of the upstream, once. Default: the system. */
  resolve?: Resolve
}

/** A gallery for an InvokeAI, in this process. */
export interface UpstreamServer {
  /** For requests without a network, with `app.inject`. */
  readonly app: FastifyInstance
  /** Address without a trailing slash; `''` before it listens. */
  readonly address: string
  /** Returns the status of the upstream. */
  status(): Promise<UpstreamStatus>
  /** Listens and returns the address. `port` 0 chooses a free port. */
  listen(where: { host: string; port: number }): Promise<string>
  /** Stops within five seconds. Unfinished requests are terminated. */
  close(): Promise<void>
}

/** Time for active requests to finish when the server closes. */
const FINISH_MS = 2_500

/**
 * Creates a server whose page shows the library of an InvokeAI. It starts even if the InvokeAI is not reachable.
 *
 * @throws {InvalidUpstreamError} The upstream is not the address of a server.
 */
export async function createUpstreamServer(
  options: UpstreamServerOptions,
): Promise<UpstreamServer> {
  const { resolve, timeouts, clock = Date.now, logger = null, rateLimit = 'off' } = options
  const address = readUpstreamAddress(options.upstream)
  const upstream = new Upstream(address, { resolve, timeouts })
  const watch = new UpstreamWatch(upstream, { clock, times: options.watch })
  watch.onChange(({ state, detail }) => {
    if (state === 'up') logger?.info(`InvokeAI at ${address.origin} answers`)
    else logger?.warn(detail)
  })
  const app = await createUpstreamApp({
    upstream,
    watch,
    about: () => aboutOf(address.origin, watch.version, rateLimit),
    rateLimit,
    token: options.token ?? null,
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    trustedProxies: options.trustedProxies ?? [],
    pageFolder: options.pageFolder ?? null,
    logger,
    now: clock,
  })
  let listensAt = ''
  return {
    app,
    get address() {
      return listensAt
    },
    status: () => watch.status(),
    listen: async ({ host, port }) => {
      await app.listen({ host, port })
      void watch.check()
      listensAt = addressOf(app, host)
      return listensAt
    },
    close: async () => {
      watch.close()
      await closeWithin(app, FINISH_MS)
      upstream.close()
    },
  }
}

/** Returns the capabilities for the page: those of an InvokeAI, without assumptions that it does not report itself. */
function aboutOf(
  origin: string,
  ofUpstream: string | null,
  limits: RateLimits | 'off',
): Capabilities {
  const known = invokeAiCapabilities(ofUpstream ?? UNKNOWN_VERSION)
  return {
    ...known,
    front: { server: 'tessera', version, upstream: origin },
    ...(limits !== 'off' && {
      limits: {
        ...known.limits,
        requests_per_minute: limits.requestsPerMinute,
        batch_requests_per_minute: limits.batchRequestsPerMinute,
      },
    }),
  }
}
