import { LIMIT_WINDOW_MS, MAX_PAGE_CLIENTS } from '#contract/limits.ts'
import type { Clock } from '#server/core/clock.ts'
import { RecentKeys, setLatest } from './recent-keys.ts'

export interface LimitPolicy {
  name: 'default' | 'batch' | 'poll'
  /** Number of requests in any sixty seconds. */
  max: number
  /** True: the request counts in this policy. False: its quota is only read. */
  counts: boolean
}

/** The client of a request. */
export interface LimitedClient {
  /** `token` for the holder of the configured token, or the normalized address. */
  client: string
  /**
   * The page in one browser, which counts separately. Further pages of an address that has `MAX_PAGE_CLIENTS` in the
   * last sixty seconds count as `client`. null: the request is not from a page.
   */
  page: { id: string; address: string } | null
}

export interface LimitedRequest extends LimitedClient {
  policies: readonly LimitPolicy[]
}

export interface Quota {
  /** Counted requests of the last sixty seconds, including this one if it was allowed. */
  used: number
  /** Milliseconds until the oldest counted request expires, or 0 if none is counted. */
  resetMs: number
}

export interface LimitResult {
  /** False if a policy that counts the request has no room. Then no policy has counted it. */
  isAllowed: boolean
  /** In the order of the policies. */
  quotas: readonly Quota[]
}

/** Counts the requests of each client. Any sixty seconds are limited, and refused requests do not count. */
export interface RequestLimits {
  /** Reads and counts all policies at once. Never fails: while Redis is away, each process counts for itself. */
  count(request: LimitedRequest): Promise<LimitResult>
  /** False while each process counts for itself, so that a client gets the quota of each. */
  readonly isShared: boolean
}

/** Number of clients whose requests are recorded. Beyond it, the least recent client is forgotten. */
const MAX_CLIENTS = 10_000

/** The limits of a single process. */
export class LocalRequestLimits implements RequestLimits {
  readonly isShared = true
  readonly #clock: Clock
  readonly #recentPages: RecentKeys
  /** Times of the counted requests by policy and client. */
  readonly #timesOf = {
    default: new Map<string, number[]>(),
    batch: new Map<string, number[]>(),
    poll: new Map<string, number[]>(),
  }

  constructor(clock: Clock) {
    this.#clock = clock
    this.#recentPages = new RecentKeys(clock)
  }

  async count(request: LimitedRequest): Promise<LimitResult> {
    const client = this.#clientOf(request)
    const now = this.#clock()
    const found = request.policies.map((policy) => ({
      policy,
      times: this.#recentTimes(policy, client, now),
    }))
    const isAllowed = found.every(
      ({ policy, times }) => !policy.counts || times.length < policy.max,
    )
    for (const { policy, times } of found) {
      if (!policy.counts) continue
      if (isAllowed) times.push(now)
      setLatest(this.#timesOf[policy.name], client, times, MAX_CLIENTS)
    }
    return { isAllowed, quotas: found.map(({ times }) => quotaOf(times, now)) }
  }

  #clientOf({ client, page }: LimitedClient): string {
    if (page === null) return client
    const pages = this.#recentPages.of(page.address)
    if (!pages.has(page.id) && pages.size >= MAX_PAGE_CLIENTS) return client
    this.#recentPages.add(page.address, page.id)
    return pageClient(page)
  }

  #recentTimes({ name }: LimitPolicy, client: string, now: number): number[] {
    const times = this.#timesOf[name].get(client) ?? []
    // A future time is from before the clock was set back. It would count for as long as the clock was set back.
    return times.filter((time) => time > now - LIMIT_WINDOW_MS && time <= now)
  }
}

/** The name of a page as a client. */
export const pageClient = ({ id, address }: { id: string; address: string }): string =>
  `page ${id} ${address}`

const quotaOf = (times: readonly number[], now: number): Quota => {
  const [oldest] = times
  const resetMs = oldest === undefined ? 0 : oldest + LIMIT_WINDOW_MS - now
  return { used: times.length, resetMs }
}
