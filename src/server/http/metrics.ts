import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Counter, Histogram, Registry } from 'prom-client'
import { isApiRequest, METRICS_PATH } from './paths.ts'

/** A number that a part of the server already counts. It is read when somebody asks for metrics. */
export interface MetricSource {
  readonly name: `tessera_${string}`
  readonly help: string
  /** A counter only grows and its name ends in `_total`. */
  readonly kind: 'counter' | 'gauge'
  /** Name of the label, if there is one value per label. */
  readonly label?: string
  /** Returns a number, or numbers by label. Labels must come from a small fixed set. */
  read(): number | Readonly<Record<string, number>>
}

/** Seconds. From answers of the cache to uploads over slow connections. */
const DURATION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

const LAG_RESOLUTION_MS = 20

/** Metrics that call private functions of Node. One of them aborts the process if a handle is just being freed. */
const UNSAFE_METRICS = [
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
]

interface Loaded {
  registry: Registry
  requests: Counter
  durations: Histogram
}

/**
 * Serves `/metrics` in Prometheus' text format. The library takes a tenth of a second to load, so it is loaded by the
 * first request, and requests are counted from then on.
 */
export function registerMetrics(app: FastifyInstance, sources: readonly MetricSource[]): void {
  const inFlight = { count: 0 }
  let loading: Promise<Loaded> | null = null
  let loaded: Loaded | null = null
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  app.addHook('onClose', async () => void lag.disable())

  const load = async (): Promise<Loaded> => {
    lag.enable()
    loaded = await createMetrics([...sources, inFlightSource(inFlight), lagSource(lag)])
    return loaded
  }

  // Not a hook, because guards and limits refuse many requests before later hooks run.
  app.server.on('request', (_request, response) => {
    inFlight.count += 1
    response.once('close', () => {
      inFlight.count -= 1
    })
  })
  app.addHook('onResponse', async (request, reply) => {
    if (loaded === null) return
    const labels = { method: request.method, route: routeOf(request) }
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    loaded.requests.inc({ ...labels, status })
    loaded.durations.observe(labels, reply.elapsedTime / 1000)
  })

  const config = { limit: 'exempt' } as const
  app.get(METRICS_PATH, { schema: { hide: true }, config }, async (_request, reply) => {
    loading ??= load()
    const { registry } = await loading
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Returns a pattern, never a URL, so that there are few routes. */
const routeOf = (request: FastifyRequest): string => {
  if (!isApiRequest(request)) return 'page'
  return request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
}

const inFlightSource = (inFlight: { count: number }): MetricSource => ({
  name: 'tessera_http_requests_in_flight',
  help: 'Requests that are not answered yet',
  kind: 'gauge',
  read: () => inFlight.count,
})

const lagSource = (lag: ReturnType<typeof monitorEventLoopDelay>): MetricSource => ({
  name: 'tessera_event_loop_lag_seconds',
  help: 'Delay of the event loop since the previous request for metrics',
  kind: 'gauge',
  label: 'quantile',
  read: () => {
    const secondsOf = (delayNs: number) => Math.max(0, delayNs / 1e9 - LAG_RESOLUTION_MS / 1000)
    const values = { '0.5': lag.percentile(50), '0.99': lag.percentile(99), '1': lag.max }
    lag.reset()
    return Object.fromEntries(
      Object.entries(values).map(([quantile, delayNs]) => [quantile, secondsOf(delayNs)]),
    )
  },
})

async function createMetrics(sources: readonly MetricSource[]): Promise<Loaded> {
  const prom = await import('prom-client')
  const registry = new prom.Registry() // of this server, because a process may have several
  const registers = [registry]
  prom.collectDefaultMetrics({ register: registry })
  for (const name of UNSAFE_METRICS) registry.removeSingleMetric(name)
  for (const source of sources) {
    const { name, help, kind, label, read } = source
    const Metric = kind === 'counter' ? prom.Counter : prom.Gauge
    new Metric({
      ...{ name, help, registers },
      labelNames: label === undefined ? [] : [label],
      collect() {
        this.reset()
        const now = read()
        if (typeof now === 'number') return this.inc(now)
        for (const [value, count] of Object.entries(now)) this.inc({ [label ?? '']: value }, count)
      },
    })
  }
  return {
    registry,
    requests: new prom.Counter({
      name: 'tessera_http_requests_total',
      help: 'Answered requests',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    durations: new prom.Histogram({
      name: 'tessera_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer',
      labelNames: ['method', 'route'],
      buckets: DURATION_BUCKETS_S,
      registers,
    }),
  }
}
