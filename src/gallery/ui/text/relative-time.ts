import { perLocale } from './locale.ts'
import { formatRecent } from './timestamp.ts'

const relative = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Formats a time in the past: `now`, `5 minutes ago`, `3 hours ago`, then with its date. */
export function formatAgo(ms: number, now: number): string {
  const passed = Math.max(0, now - ms)
  if (passed < MINUTE) return relative().format(0, 'second')
  if (passed < HOUR) return relative().format(-Math.floor(passed / MINUTE), 'minute')
  if (passed < DAY) return relative().format(-Math.floor(passed / HOUR), 'hour')
  return formatRecent(ms, new Date(now))
}
