import { perLocale } from './locale.ts'

const dateAndTime = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
)
const date = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
const time = perLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))
const longDate = perLocale(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }),
)
const month = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

/** Formats a timestamp of the server, `2026-11-21 07:32:39.125` in UTC. Other text stays unchanged. */
function formatted(timestamp: string, format: Intl.DateTimeFormat): string {
  const at = new Date(`${timestamp.replace(' ', 'T')}Z`)
  return Number.isNaN(at.getTime()) ? timestamp : format.format(at)
}

/** Formats a timestamp of the server as local date and time: `Nov 21, 2026, 8:32 AM`. */
export const formatTimestamp = (timestamp: string): string => formatted(timestamp, dateAndTime())

/** Formats a timestamp of the server as local date: `Nov 21, 2026`. */
export const formatDate = (timestamp: string): string => formatted(timestamp, date())

/** Returns the local day of a timestamp of the server: `2026-11-21`. */
export function localDay(timestamp: string): string {
  const at = new Date(`${timestamp.replace(' ', 'T')}Z`)
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

/** Formats a time of today without the date, and other times with it. */
export function formatRecent(ms: number, now = new Date()): string {
  const isToday = new Date(ms).toDateString() === now.toDateString()
  return (isToday ? time() : dateAndTime()).format(ms)
}

/** Formats `2026-05-03` as `Sunday, May 3, 2026`. */
export const formatDay = (day: string): string => longDate().format(new Date(`${day}T00:00Z`))

/** Formats `2026-05` as `May 2026`. */
export const formatMonth = (monthOfYear: string): string =>
  month().format(new Date(`${monthOfYear}-01T00:00Z`))
