type TimerId = ReturnType<typeof setTimeout>

export interface Clock {
  /** The time of day, in milliseconds since 1970. */
  now(): number
  /** A time that never jumps, to measure durations. In milliseconds since the page was opened. */
  elapsed(): number
  setTimeout(run: () => void, ms: number): TimerId
  clearTimeout(timer: TimerId | undefined): void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer),
}

export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => clock.setTimeout(resolve, ms))

/** At most one pending call. */
export class Timer {
  readonly #clock: Clock
  #id: TimerId | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isActive(): boolean {
    return this.#id !== undefined
  }

  /** Calls `run` after `ms` milliseconds. Has no effect while a call is pending. */
  start(ms: number, run: () => void): void {
    this.#id ??= this.#clock.setTimeout(() => {
      this.#id = undefined
      run()
    }, ms)
  }

  /** Calls `run` after `ms` milliseconds instead of the pending call. */
  restart(ms: number, run: () => void): void {
    this.stop()
    this.start(ms, run)
  }

  stop(): void {
    this.#clock.clearTimeout(this.#id)
    this.#id = undefined
  }
}

interface ThrottleOptions {
  readonly gapMs: number
  /**
   * The longest gap, in milliseconds. Each time a call has to wait, the next gap is twice as long. After a pause of
   * this length the gap is `gapMs` again. Default `gapMs`.
   */
  readonly maxGapMs?: number
  /** The number of calls that run at once after a pause. Default 1. */
  readonly burst?: number
}

/** Throttles a function: runs it at once, then once per gap on average. Calls in between share one run. */
export function throttled(
  clock: Clock,
  run: () => void,
  { gapMs, maxGapMs = gapMs, burst = 1 }: ThrottleOptions,
): () => void {
  const refill = new Timer(clock)
  let nextGapMs = gapMs
  let free = burst
  let isWanted = false
  let ranAt = Number.NEGATIVE_INFINITY
  const runNow = () => {
    free -= 1
    isWanted = false
    ranAt = clock.elapsed()
    refill.start(nextGapMs, refillOne)
    run()
  }
  const refillOne = () => {
    free += 1
    if (isWanted) runNow()
    else if (free < burst) refill.start(nextGapMs, refillOne)
  }
  return () => {
    if (clock.elapsed() - ranAt >= maxGapMs) nextGapMs = gapMs
    if (free > 0) runNow()
    else if (!isWanted) {
      isWanted = true
      nextGapMs = Math.min(maxGapMs, nextGapMs * 2)
    }
  }
}

/** Throttles a function that gets all items since its last run. Options as for {@link throttled}. */
export function gathered<Item>(
  clock: Clock,
  run: (items: Item[]) => void,
  options: ThrottleOptions,
): (item: Item) => void {
  let items: Item[] = []
  const runSoon = throttled(
    clock,
    () => {
      const now = items
      items = []
      run(now)
    },
    options,
  )
  return (item) => {
    items.push(item)
    runSoon()
  }
}
