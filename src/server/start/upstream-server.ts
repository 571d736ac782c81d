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

/** How a gallery in front of an InvokeAI behaves. Only the upstream has no default. */
export interface UpstreamServerOptions {
  /** Where the InvokeAI is: scheme, host and port, such as `http://127.0.0.1:9090`. */
  upstream: string
  /** Default: none, as InvokeAI has none. */
  rateLimit?: RateLimits | 'off'
  /** Guards the API and the page. Default: null, nothing is guarded. */
  token?: string | null
  /** Host names to answer to, beside loopback and the address that was connected to. */
  allowedHosts?: readonly string[]
  /** Addresses of proxies whose `X-Forwarded-For` counts. */
  trustedProxies?: readonly string[]
  /** The built page, or null: the API alone. */
  pageFolder?: string | null
  /** Default: nothing is logged. */
  logger?: FastifyBaseLogger | null
  clock?: Clock
  /** How long the upstream may keep one waiting. */
  timeouts?: Partial<UpstreamTimeouts>
  /** How often it is looked at. */
  watch?: Partial<WatchTimes>
  /** Looks the name of the upstream up, once. Default: the system. */
  resolve?: Resolve
}

/** A gallery in front of an InvokeAI, in this process. */
export interface UpstreamServer {
  /** For requests without a network: `app.inject`. */
  readonly app: FastifyInstance
  /** Where it listens, without a slash at the end; `''` before it does. */
  readonly address: string
  /** How the upstream is. */
  status(): Promise<UpstreamStatus>
  /** @returns The address. `port` 0 takes a free one. */
  listen(where: { host: string; port: number }): Promise<string>
  /** Ends within five seconds: what cannot finish by then is cut. */
  close(): Promise<void>
}

/** How long requests under way may take to finish when the server closes. */
const FINISH_MS = 2_500

/**
 * Builds a server that shows its page in front of an InvokeAI. It has no library of its own, and it starts
 * whether the InvokeAI is there or not.
 *
 * @throws {InvalidUpstreamError} The upstream is no address of a server.
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

/** What the page is told: an InvokeAI, of which nothing is known that it does not say itself. */
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
