export const DAY_MS = 86_400_000

/** No clock on land was ever further from UTC. */
const MOST_OFFSET_MS = 16 * 3_600_000

/** The days of a time zone, each known by its number: 0 is 1970-01-01. */
export interface Calendar {
  /** When a day begins, in milliseconds since 1970. A day that a zone left out begins with the next. */
  startOf(day: number): number
  /** The day of a point in time. */
  dayOf(at: number): number
}

/**
 * The calendar of a time zone.
 *
 * A day runs from its first midnight to that of the next, so that days part a view into runs. Clocks that
 * were put back across midnight showed a date twice; those minutes belong to the later day.
 *
 * @param timeZone - An IANA name that is known.
 */
export const calendarOf = (timeZone: string): Calendar => {
  const offsetAt = offsetsOf(timeZone)
  const shownDay = (at: number) => Math.floor((at + offsetAt(at)) / DAY_MS)
  const starts = new Map<number, number>()

  const startOf = (day: number): number => {
    const known = starts.get(day)
    if (known !== undefined) return known
    const midnight = day * DAY_MS
    const guess = midnight - offsetAt(midnight - offsetAt(midnight))
    const isStart = shownDay(guess) >= day && shownDay(guess - 1) < day
    const start = isStart ? guess : firstOf(midnight, (at) => shownDay(at) >= day)
    starts.set(day, start)
    return start
  }
  const dayOf = (at: number): number => {
    let day = Math.floor(at / DAY_MS) + 1
    while (startOf(day) > at) day -= 1
    return day
  }
  return { startOf, dayOf }
}

/** The first moment around a UTC midnight from which on something is true. */
const firstOf = (midnight: number, isReached: (at: number) => boolean): number => {
  let from = midnight - MOST_OFFSET_MS
  let to = midnight + MOST_OFFSET_MS
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (isReached(middle)) to = middle
    else from = middle + 1
  }
  return to
}

/** How far the clocks of a zone are ahead of UTC, in milliseconds, at a point in time. */
const offsetsOf = (timeZone: string): ((at: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return (at) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(at)) ?? []
    const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -offset : offset
  }
}
