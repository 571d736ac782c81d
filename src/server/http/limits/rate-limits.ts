import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LIMIT_WINDOW_MS, POLLS_PER_MINUTE } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import type {
  LimitedClient,
  LimitPolicy,
  Quota,
  RequestLimits,
} from '#server/core/limits/request-limits.ts'
import { Refusal } from '#server/core/refusal.ts'
import { isApiRequest } from '#server/http/paths.ts'

/** Number of requests that a client may send in any sixty seconds. */
export interface RateLimits {
  requestsPerMinute: number
  batchRequestsPerMinute: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit class of the route's operation. */
    limit?: Operation['limit']
    /** True if the route needs no token and no known host name. */
    isPublic?: boolean
  }
}

type PolicyName = LimitPolicy['name']

/** The remaining quota of a client in a policy. */
interface Remaining {
  policy: LimitPolicy
  remaining: number
  /** Seconds until the oldest counted request expires, or 0 if none was counted. */
  resetS: number
}

/** Returns the policies that count a request. A request without a matching route counts as an ordinary call. */
const policyNamesOf = (request: FastifyRequest): readonly PolicyName[] => {
  if (!isApiRequest(request)) return []
  const { limit } = request.routeOptions.config
  if (limit === 'exempt') return []
  if (limit === 'poll') return ['poll']
  return limit === 'batch' ? ['batch', 'default'] : ['default']
}

/** Refuses requests over a limit and adds the remaining quota to every API response. */
export function registerRateLimits(
  app: FastifyInstance,
  { requestsPerMinute, batchRequestsPerMinute }: RateLimits,
  options: { limits: RequestLimits; clientOf: (request: FastifyRequest) => LimitedClient },
): void {
  const maxOf = {
    default: requestsPerMinute,
    batch: batchRequestsPerMinute,
    poll: POLLS_PER_MINUTE,
  } as const
  const policy = (name: PolicyName, counting: readonly PolicyName[]): LimitPolicy => ({
    name,
    max: maxOf[name],
    counts: counting.includes(name),
  })

  app.addHook('onRequest', async (request, reply) => {
    const counting = policyNamesOf(request)
    if (counting.length === 0) return
    const names = counting.includes('poll') ? (['poll'] as const) : (['default', 'batch'] as const)
    const policies = names.map((name) => policy(name, counting))
    const client = options.clientOf(request)
    const { isAllowed, quotas } = await options.limits.count({ ...client, policies })
    const remaining = policies.map((one, index) => remainingOf(one, quotas[index]))
    const counted = remaining.filter(({ policy }) => policy.counts)
    writeHeaders(reply, remaining, counted)
    if (isAllowed) return
    const full = counted.filter(({ remaining }) => remaining === 0)
    reply.header('retry-after', Math.max(...full.map(({ resetS }) => resetS)))
    throw new Refusal('rate_limited')
  })
}

const remainingOf = (
  policy: LimitPolicy,
  { used, resetMs }: Quota = { used: 0, resetMs: 0 },
): Remaining => ({
  policy,
  remaining: Math.max(0, policy.max - used),
  resetS: Math.ceil(resetMs / 1000),
})

/** Writes the `ratelimit-*` headers of the tightest limit that counts this request, and structured ones of all. */
function writeHeaders(reply: FastifyReply, all: Remaining[], counted: Remaining[]): void {
  const tightest = counted.toSorted((one, other) => one.remaining - other.remaining)[0]
  if (!tightest) return
  const windowS = LIMIT_WINDOW_MS / 1000
  reply.headers({
    'ratelimit-limit': tightest.policy.max,
    'ratelimit-remaining': tightest.remaining,
    'ratelimit-reset': tightest.resetS,
    'ratelimit-policy': all
      .map(({ policy }) => `"${policy.name}";q=${policy.max};w=${windowS}`)
      .join(', '),
    ratelimit: all
      .map(({ policy, remaining, resetS }) => `"${policy.name}";r=${remaining};t=${resetS}`)
      .join(', '),
  })
}
