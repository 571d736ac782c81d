/** Clock of an event stream. Tests pass a fake one. */
export interface EventClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `run` after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, run: () => void): () => void
}

/** Clock and timers of the platform. */
export const systemClock: EventClock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
