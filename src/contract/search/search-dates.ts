export interface SearchClock {
  /** Milliseconds since 1970. */
  now: number
  /** Returns the start of a day in milliseconds since 1970. The month is 0 to 11, and a day may be outside its month. */
  startOfDay(year: number, month: number, day: number): number
}

/** Days in UTC. */
export const utcClock = (now = Date.now()): SearchClock => ({ now, startOfDay: Date.UTC })

/** A span of time in milliseconds since 1970. `end` is exclusive and may be infinite. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Returns null if a text is no date. */
export type DateReader = (text: string) => Span | null

const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/
/** A moment as `Date.toISOString` writes it. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/i
const AGO = /^(\d{1,4})([hdwmy])$/i

const HOUR_MS = 3_600_000

/** Reads a year, month or day, `today`, `yesterday`, a time before now such as `7d`, or a moment in ISO 8601. */
export const dateIn = (text: string, clock: SearchClock): Span | null => {
  const today = new Date(clock.now)
  const lower = text.toLowerCase()
  if (lower === 'today' || lower === 'yesterday') return dayBefore(clock, lower === 'today' ? 0 : 1)
  if (MOMENT.test(text)) {
    const at = Date.parse(text)
    return Number.isNaN(at) ? null : { start: at, end: at }
  }
  const [, count, unit] = AGO.exec(lower) ?? []
  if (count !== undefined) {
    const start = timeAgo(today, Number(count), unit as 'h')
    return { start, end: Number.POSITIVE_INFINITY }
  }
  const [, year, month, day] = DATE.exec(text) ?? []
  if (year === undefined) return null
  return spanOf(clock, Number(year), month, day)
}

const spanOf = (
  { startOfDay }: SearchClock,
  year: number,
  month: string | undefined,
  day: string | undefined,
): Span | null => {
  if (month === undefined) return { start: startOfDay(year, 0, 1), end: startOfDay(year + 1, 0, 1) }
  const index = Number(month) - 1
  if (index < 0 || index > 11) return null
  if (day === undefined)
    return { start: startOfDay(year, index, 1), end: startOfDay(year, index + 1, 1) }
  const number = Number(day)
  const daysOfMonth = new Date(Date.UTC(year, index + 1, 0)).getUTCDate()
  if (number < 1 || number > daysOfMonth) return null
  return { start: startOfDay(year, index, number), end: startOfDay(year, index, number + 1) }
}

/** Finds the day that contains now by its start, because the clock's time zone is not known. */
const dayBefore = ({ now, startOfDay }: SearchClock, days: number): Span => {
  const utc = new Date(now)
  const at = (offset: number) =>
    startOfDay(utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate() + offset)
  const offset = at(1) <= now ? 1 : at(0) <= now ? 0 : -1
  return { start: at(offset - days), end: at(offset - days + 1) }
}

const timeAgo = (now: Date, count: number, unit: 'h' | 'd' | 'w' | 'm' | 'y'): number => {
  const hours = { h: 1, d: 24, w: 7 * 24, m: 0, y: 0 }[unit]
  if (hours > 0) return now.getTime() - count * hours * HOUR_MS
  const then = new Date(now)
  then.setUTCMonth(then.getUTCMonth() - count * (unit === 'y' ? 12 : 1))
  return then.getTime()
}
