/** The first wait, and the longest, in milliseconds. */
const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * How long to wait before connecting again: each time twice as long, and never two clients in step,
 * since a server that starts again is met by all of them.
 *
 * @param failures - How many attempts in a row came to nothing, from 0.
 * @param random - Between 0 and 1.
 */
export function retryDelayMs(failures: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** failures)
  return Math.round(longest * (0.5 + random / 2))
}
