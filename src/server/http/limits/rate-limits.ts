import rateLimit, {
  type FastifyRateLimitStore,
  type FastifyRateLimitStoreCtor,
} from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LIMIT_WINDOW_MS, POLLS_PER_MINUTE } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import { Refusal } from '#server/core/refusal.ts'
import { isApiRequest } from '#server/http/paths.ts'
import { setLatest } from './recent-keys.ts'

/** Number of requests that a client may send in any sixty seconds. */
export interface RateLimits {
  requestsPerMinute: number
  batchRequestsPerMinute: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit class of the route's operation. */
    limit?: Operation['limit']
  }
}

type Limiter = ReturnType<FastifyInstance['createRateLimit']>

interface Policy {
  name: 'default' | 'batch' | 'poll'
  max: number
  limiter: Limiter
}

/** The remaining quota of a client in a policy. */
interface Quota {
  policy: Policy
  remaining: number
  /** Seconds until the oldest counted request expires, or 0 if none was counted. */
  resetS: number
  isExceeded: boolean
}

/** Returns the policies that count a request. A request without a matching route counts as an ordinary call. */
const policyNamesOf = (request: FastifyRequest): readonly Policy['name'][] => {
  if (!isApiRequest(request)) return []
  const { limit } = request.routeOptions.config
  if (limit === 'exempt') return []
  if (limit === 'poll') return ['poll']
  return limit === 'batch' ? ['batch', 'default'] : ['default']
}

/** Refuses requests over a limit and adds the remaining quota to every API response. */
export async function registerRateLimits(
  app: FastifyInstance,
  limits: RateLimits,
  options: { now: () => number; clientOf: (request: FastifyRequest) => string },
): Promise<void> {
  await app.register(rateLimit, { global: false, store: slidingWindowStore(options.now) })
  const policy = (name: Policy['name'], max: number): Policy => ({
    name,
    max,
    limiter: app.createRateLimit({
      max,
      timeWindow: LIMIT_WINDOW_MS,
      keyGenerator: options.clientOf,
    }),
  })
  const policies = [
    policy('default', limits.requestsPerMinute),
    policy('batch', limits.batchRequestsPerMinute),
    policy('poll', POLLS_PER_MINUTE),
  ]

  app.addHook('onRequest', async (request, reply) => {
    const names = policyNamesOf(request)
    if (names.length === 0) return
    const counting = policies.filter(({ name }) => names.includes(name))
    // Read all limits before counting, so that a request that one limit refuses does not use up another.
    const before = await Promise.all(counting.map((one) => quotaOf(one, request, false)))
    const hasRoom = before.every(({ remaining }) => remaining > 0)
    const quotas = await Promise.all(
      policies
        .filter(({ name }) => names.includes(name) || (name === 'batch' && !names.includes('poll')))
        .map((one) => quotaOf(one, request, hasRoom && counting.includes(one))),
    )
    const counted = quotas.filter(({ policy }) => counting.includes(policy))
    writeHeaders(reply, quotas, counted)
    if (hasRoom && counted.every(({ isExceeded }) => !isExceeded)) return
    const waitS = Math.max(
      ...counted.filter(({ remaining }) => remaining === 0).map(({ resetS }) => resetS),
    )
    reply.header('retry-after', waitS)
    throw new Refusal('rate_limited')
  })
}

async function quotaOf(
  policy: Policy,
  request: FastifyRequest,
  increment: boolean,
): Promise<Quota> {
  const result = await policy.limiter(request, { increment })
  if (result.isAllowed) return { policy, remaining: policy.max, resetS: 0, isExceeded: false }
  const { remaining, ttlInSeconds, isExceeded } = result
  return { policy, remaining, resetS: ttlInSeconds, isExceeded }
}

/** Writes the `ratelimit-*` headers of the tightest limit that counts this request, and structured ones of all. */
function writeHeaders(reply: FastifyReply, quotas: Quota[], counted: Quota[]): void {
  const tightest = counted.toSorted((one, other) => one.remaining - other.remaining)[0]
  if (!tightest) return
  const windowS = LIMIT_WINDOW_MS / 1000
  reply.headers({
    'ratelimit-limit': tightest.policy.max,
    'ratelimit-remaining': tightest.remaining,
    'ratelimit-reset': tightest.resetS,
    'ratelimit-policy': quotas
      .map(({ policy }) => `"${policy.name}";q=${policy.max};w=${windowS}`)
      .join(', '),
    ratelimit: quotas
      .map(({ policy, remaining, resetS }) => `"${policy.name}";r=${remaining};t=${resetS}`)
      .join(', '),
  })
}

/** Number of clients whose requests are recorded. Beyond it, the least recent client is forgotten. */
const MAX_CLIENTS = 10_000

type Answer = Parameters<FastifyRateLimitStore['incr']>[1]

/**
 * Creates the store, a class that the plugin constructs. It records the times of each client's last requests, so that
 * a limit holds for any sixty seconds. The fixed window of the plugin allows twice the limit around its edge. Refused
 * requests do not count.
 */
export const slidingWindowStore = (now: () => number): FastifyRateLimitStoreCtor =>
  class SlidingWindowStore implements FastifyRateLimitStore {
    readonly #timesOf = new Map<string, number[]>()

    /** Counts a request if the limit allows it. `ttl` is the time in ms until the oldest request expires. */
    incr(client: string, answer: Answer, windowMs: number, max: number): void {
      const times = this.#timesWithin(client, windowMs)
      const hasRoom = times.length < max
      if (hasRoom) times.push(now())
      setLatest(this.#timesOf, client, times, MAX_CLIENTS)
      answer(null, {
        current: hasRoom ? times.length : max + 1,
        ttl: ttlOf(times, windowMs, now()),
      })
    }

    /** Reads the quota without counting a request. */
    read(client: string, answer: Answer, windowMs: number): void {
      const times = this.#timesWithin(client, windowMs)
      answer(null, { current: times.length, ttl: ttlOf(times, windowMs, now()) })
    }

    child(): SlidingWindowStore {
      return new SlidingWindowStore()
    }

    #timesWithin(client: string, windowMs: number): number[] {
      const times = this.#timesOf.get(client) ?? []
      const at = now()
      // A future time is from before the clock was set back. It would count for as long as the clock was set back.
      return times.filter((time) => time > at - windowMs && time <= at)
    }
  }

const ttlOf = ([oldest]: readonly number[], windowMs: number, now: number): number =>
  oldest === undefined ? 0 : oldest + windowMs - now
