/** Delays between attempts, in milliseconds. */
export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
}

/**
 * Returns the delay before the next attempt, in milliseconds. It doubles after each failure.
 *
 * @param failures - Number of failures before the current one.
 * @param random - Jitter from 0 (half of the delay) to 1 (all of it), which keeps clients from returning at the same time.
 */
export const backoffMs = ({ firstMs, longestMs }: Backoff, failures: number, random = 1): number =>
  Math.round(Math.min(longestMs, firstMs * 2 ** failures) * (0.5 + random / 2))
