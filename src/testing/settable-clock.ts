/** A clock that does not advance by itself. */
export interface SettableClock {
  /** Milliseconds since 1970. */
  (): number
  advance(ms: number): void
}

/** @param start - Milliseconds since 1970. */
export function createSettableClock(start = Date.UTC(2026, 0, 1)): SettableClock {
  let now = start
  return Object.assign(() => now, {
    advance: (ms: number) => {
      now += ms
    },
  })
}
