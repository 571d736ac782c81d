import {
  type Capabilities,
  invokeAiCapabilities,
  UNKNOWN_VERSION,
} from '#contract/server/app-operations.ts'
import type { UpstreamStatus } from '#contract/server/upstream-operations.ts'
import type { TesseraServer } from '#server/app.ts'
import type { AppOptions } from '#server/http/guarded-app.ts'
import type { Resolve } from '#server/upstream/pinned-lookup.ts'
import { Upstream, type UpstreamTimeouts } from '#server/upstream/upstream.ts'
import { readUpstreamAddress } from '#server/upstream/upstream-address.ts'
import { createUpstreamApp } from '#server/upstream/upstream-app.ts'
import { UpstreamWatch, type WatchTimes } from '#server/upstream/upstream-watch.ts'
import { addressOf, closeInTime } from './listening.ts'
import { version } from './version.ts'

/** Options of a gallery for an InvokeAI. Only `upstream` has no default. */
export interface UpstreamServerOptions extends Partial<AppOptions> {
  /** Origin of the InvokeAI: scheme, host and port, such as `http://127.0.0.1:9090`. */
  upstream: string
  /** Default: no limits, like InvokeAI. */
  rateLimit?: AppOptions['rateLimit']
  timeouts?: Partial<UpstreamTimeouts>
  /** Interval of checks of the upstream. */
  watch?: Partial<WatchTimes>
  /** Resolves the host name of the upstream, once. Default: the system. */
  resolve?: Resolve
}

/** A gallery for an InvokeAI, in this process. */
export interface UpstreamServer extends Pick<TesseraServer, 'app' | 'address' | 'listen'> {
  status(): Promise<UpstreamStatus>
  /** Stops within five seconds. Unfinished requests are terminated. */
  close(): Promise<void>
}

/**
 * Creates a server whose page shows the library of an InvokeAI. It starts even if the InvokeAI is not reachable.
 *
 * @throws {InvalidUpstreamError} The upstream is not the address of a server.
 */
export async function createUpstreamServer(
  options: UpstreamServerOptions,
): Promise<UpstreamServer> {
  const { resolve, timeouts, clock = Date.now, logger, rateLimit = 'off' } = options
  const address = readUpstreamAddress(options.upstream)
  const upstream = new Upstream(address, { resolve, timeouts })
  const watch = new UpstreamWatch(upstream, { clock, times: options.watch })
  watch.onChange(({ state, detail }) => {
    if (state === 'up') logger?.info(`InvokeAI at ${address.origin} answers`)
    else logger?.warn(detail)
  })
  const about = () => aboutOf(address.origin, watch.version, rateLimit)
  const app = await createUpstreamApp({ ...options, upstream, watch, about, rateLimit })
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
      await closeInTime(app)
      upstream.close()
    },
  }
}

/** Returns the capabilities for the page: those of an InvokeAI, without assumptions that it does not report itself. */
function aboutOf(
  origin: string,
  ofUpstream: string | null,
  limits: AppOptions['rateLimit'],
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
