export const DAY_MS = 86_400_000

/** No time zone was ever further from UTC. */
const MAX_OFFSET_MS = 16 * 3_600_000

/** The days of a time zone, identified by number: 0 is 1970-01-01. */
export type Calendar = ReturnType<typeof calendarOf>

/** The number of images by day number. Days without images are left out; the others are unordered. */
export type DayCounts = Map<number, number>

/**
 * Days are half-open [first midnight, first midnight of the next day), so that each day is one contiguous range of a
 * view. If clocks were set back across midnight, a date occurred twice; those minutes belong to the later day.
 *
 * @param timeZone - A known IANA name.
 */
export const calendarOf = (timeZone: string) => {
  const offsetAt = offsetsOf(timeZone)
  const shownDay = (at: number) => Math.floor((at + offsetAt(at)) / DAY_MS)
  const starts = new Map<number, number>()

  /** Returns the start of a day, in milliseconds since 1970. A skipped day starts at the same time as the next one. */
  const startOf = (day: number): number => {
    const known = starts.get(day)
    if (known !== undefined) return known
    const midnight = day * DAY_MS
    const guess = midnight - offsetAt(midnight - offsetAt(midnight))
    const isStart = shownDay(guess) >= day && shownDay(guess - 1) < day
    const start = isStart ? guess : findFirst(midnight, (at) => shownDay(at) >= day)
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

/** Returns the first moment around a UTC midnight from which on a condition is true. */
const findFirst = (midnight: number, isReached: (at: number) => boolean): number => {
  let from = midnight - MAX_OFFSET_MS
  let to = midnight + MAX_OFFSET_MS
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (isReached(middle)) to = middle
    else from = middle + 1
  }
  return to
}

/** Returns the offset of a zone from UTC by time, in milliseconds. East of Greenwich is positive. */
const offsetsOf = (timeZone: string): ((at: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return (at) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(at)) ?? []
    const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -offset : offset
  }
}
