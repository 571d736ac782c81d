/** The time, so that tests can set it. */
export interface EventClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs something later. @returns What keeps it from being run. */
  after(ms: number, run: () => void): () => void
}

/** The platform's own. */
export const systemClock: EventClock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
