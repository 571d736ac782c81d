import rateLimit, {
  type FastifyRateLimitStore,
  type FastifyRateLimitStoreCtor,
} from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LIMIT_WINDOW_MS, POLLS_PER_MINUTE } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import { Refusal } from '#server/core/refusal.ts'
import { isApiRequest } from '#server/http/paths.ts'

/** What a client may send in any sixty seconds (spec 8). */
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

/** One limit: its name in the headers, its figure, what counts in it. */
interface Policy {
  name: 'default' | 'batch' | 'poll'
  max: number
  limiter: Limiter
}

/** Where a client stands in a policy. */
interface Standing {
  policy: Policy
  remaining: number
  /** Seconds until the next place frees; 0 where nothing was used. */
  resetS: number
  isExceeded: boolean
}

/** Which policies count a request; one without a route of ours counts as an ordinary call. */
const policyNamesOf = (request: FastifyRequest): readonly Policy['name'][] => {
  if (!isApiRequest(request)) return []
  const { limit } = request.routeOptions.config
  if (limit === 'exempt') return []
  if (limit === 'poll') return ['poll']
  return limit === 'batch' ? ['batch', 'default'] : ['default']
}

/** Refuses what is over a limit and says in every API answer what is left (design 4). */
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
    // Looked at first and counted together: what one limit refuses must not use up the other.
    const looks = await Promise.all(counting.map((one) => stand(one, request, false)))
    const hasRoom = looks.every(({ remaining }) => remaining > 0)
    const stands = await Promise.all(
      policies
        .filter(({ name }) => names.includes(name) || (name === 'batch' && !names.includes('poll')))
        .map((one) => stand(one, request, hasRoom && counting.includes(one))),
    )
    const counted = stands.filter(({ policy }) => counting.includes(policy))
    writeHeaders(reply, stands, counted)
    if (hasRoom && counted.every(({ isExceeded }) => !isExceeded)) return
    const waitS = Math.max(
      ...counted.filter(({ remaining }) => remaining === 0).map(({ resetS }) => resetS),
    )
    reply.header('retry-after', waitS)
    throw new Refusal('rate_limited')
  })
}

async function stand(
  policy: Policy,
  request: FastifyRequest,
  increment: boolean,
): Promise<Standing> {
  const result = await policy.limiter(request, { increment })
  if (result.isAllowed) return { policy, remaining: policy.max, resetS: 0, isExceeded: false }
  const { remaining, ttlInSeconds, isExceeded } = result
  return { policy, remaining, resetS: ttlInSeconds, isExceeded }
}

/** The plain headers speak of the tightest limit that counts this request, the structured ones of all. */
function writeHeaders(reply: FastifyReply, stands: Standing[], counted: Standing[]): void {
  const tightest = counted.toSorted((one, other) => one.remaining - other.remaining)[0]
  if (!tightest) return
  const windowS = LIMIT_WINDOW_MS / 1000
  reply.headers({
    'ratelimit-limit': tightest.policy.max,
    'ratelimit-remaining': tightest.remaining,
    'ratelimit-reset': tightest.resetS,
    'ratelimit-policy': stands
      .map(({ policy }) => `"${policy.name}";q=${policy.max};w=${windowS}`)
      .join(', '),
    ratelimit: stands
      .map(({ policy, remaining, resetS }) => `"${policy.name}";r=${remaining};t=${resetS}`)
      .join(', '),
  })
}

/** Clients whose requests are remembered; beyond that, the one that was quiet the longest is forgotten. */
const MAX_CLIENTS = 10_000

type Answer = Parameters<FastifyRateLimitStore['incr']>[1]

/**
 * Keeps the times of each client's last requests, so that a limit holds for any sixty seconds. (A fixed
 * window, as the plugin has one, lets twice the figure pass around its edge.) A refused request does not count.
 */
class SlidingWindowStore implements FastifyRateLimitStore {
  readonly #now: () => number
  readonly #timesOf = new Map<string, number[]>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a request if there is room. `ttl` is the time until the next place frees, in ms. */
  incr(client: string, answer: Answer, windowMs: number, max: number): void {
    const times = this.#timesWithin(client, windowMs)
    const hasRoom = times.length < max
    if (hasRoom) times.push(this.#now())
    this.#remember(client, times)
    answer(null, { current: hasRoom ? times.length : max + 1, ttl: this.#ttl(times, windowMs) })
  }

  /** The same without counting. */
  read(client: string, answer: Answer, windowMs: number): void {
    const times = this.#timesWithin(client, windowMs)
    answer(null, { current: times.length, ttl: this.#ttl(times, windowMs) })
  }

  child(): SlidingWindowStore {
    return new SlidingWindowStore(this.#now)
  }

  #timesWithin(client: string, windowMs: number): number[] {
    const now = this.#now()
    // A time to come is from before the clock was set back; it would count for as long as that was.
    return (this.#timesOf.get(client) ?? []).filter((time) => time > now - windowMs && time <= now)
  }

  #ttl(times: readonly number[], windowMs: number): number {
    const [oldest] = times
    return oldest === undefined ? 0 : oldest + windowMs - this.#now()
  }

  #remember(client: string, times: number[]): void {
    this.#timesOf.delete(client)
    this.#timesOf.set(client, times)
    if (this.#timesOf.size <= MAX_CLIENTS) return
    const [quietest] = this.#timesOf.keys()
    if (quietest !== undefined) this.#timesOf.delete(quietest)
  }
}

/** The store as the plugin wants it: a class that it constructs itself. */
export const slidingWindowStore = (now: () => number): FastifyRateLimitStoreCtor =>
  class extends SlidingWindowStore {
    constructor() {
      super(now)
    }
  }
