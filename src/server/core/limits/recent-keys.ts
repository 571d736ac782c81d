import { LIMIT_WINDOW_MS } from '#contract/limits.ts'

/** Number of addresses whose keys are recorded. */
const MAX_ADDRESSES = 10_000

/** The times at which each address used keys, such as page cookies, within the window of the limits. */
export class RecentKeys {
  readonly #now: () => number
  readonly #timesOf = new Map<string, Map<string, number>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns the last time of each key of an address, without expired ones. */
  of(address: string): Map<string, number> {
    const times = this.#timesOf.get(address) ?? new Map<string, number>()
    const now = this.#now()
    for (const [key, time] of times) {
      // A future time is from before the clock was set back.
      if (time <= now - LIMIT_WINDOW_MS || time > now) times.delete(key)
    }
    return times
  }

  add(address: string, key: string): void {
    setLatest(this.#timesOf, address, this.of(address).set(key, this.#now()), MAX_ADDRESSES)
  }
}

/** Sets an entry of a map ordered by last use. Beyond `maxSize` entries, drops the least recent one. */
export function setLatest<T>(map: Map<string, T>, key: string, value: T, maxSize: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= maxSize) return
  const [leastRecent] = map.keys()
  if (leastRecent !== undefined) map.delete(leastRecent)
}
