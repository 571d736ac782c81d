import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'

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
