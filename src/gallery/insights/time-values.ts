import type { ImageDays } from '#contract/image.ts'
import { formatDay } from '#gallery/ui/text/timestamp.ts'
import type { PlotValue } from './plot.ts'

const DAY_MS = 86_400_000
const WEEK_DAYS = 7

/** The days of a year with images, from the first to the last. */
export interface YearOfDays {
  readonly year: string
  readonly values: readonly PlotValue[]
}

/** Returns the years that have images, the newest first. */
export const yearsOf = ({ days }: ImageDays): YearOfDays[] => {
  const years = new Map<string, PlotValue[]>()
  for (const { day, count } of days) {
    const year = day.slice(0, -6)
    const values = years.get(year) ?? []
    values.push({ id: day, label: formatDay(day), count, condition: `date:${day}` })
    years.set(year, values)
  }
  return [...years]
    .map(([year, values]) => ({ year, values: values.sort(byId) }))
    .sort((one, other) => Number(other.year) - Number(one.year))
}

const byId = (one: PlotValue, other: PlotValue) => (one.id < other.id ? -1 : 1)

export interface CalendarDay {
  /** From 0, the first week of the year. */
  readonly week: number
  /** From 0, Monday. */
  readonly weekday: number
  /** null: no images. */
  readonly value: PlotValue | null
}

/** Returns all days of a year. */
export const calendarOf = ({ year, values }: YearOfDays): CalendarDay[] => {
  const start = Date.UTC(Number(year), 0, 1)
  const end = Date.UTC(Number(year) + 1, 0, 1)
  const offset = weekdayOf(start)
  const byDay = new Map(values.map((value) => [value.id, value]))
  return Array.from({ length: (end - start) / DAY_MS }, (_, at) => {
    const id = new Date(start + at * DAY_MS).toISOString().slice(0, 10)
    return {
      week: Math.floor((at + offset) / WEEK_DAYS),
      weekday: (at + offset) % WEEK_DAYS,
      value: byDay.get(id) ?? null,
    }
  })
}

/** Returns the week in which each month of a year begins. */
export const monthStarts = (year: string): number[] => {
  const start = Date.UTC(Number(year), 0, 1)
  return Array.from({ length: 12 }, (_, month) => {
    const day = (Date.UTC(Number(year), month, 1) - start) / DAY_MS
    return Math.floor((day + weekdayOf(start)) / WEEK_DAYS)
  })
}

const weekdayOf = (time: number): number => (new Date(time).getUTCDay() + 6) % WEEK_DAYS

/** More months than this are not drawn with gaps: a single wrong date would make all others tiny. */
const MAX_MONTHS = 120

/** Returns the months from the first to the last, also those without images. */
export const monthsBetween = (values: readonly PlotValue[]): string[] => {
  const ids = values.map(({ id }) => id).sort()
  const [first = '', last = ''] = [ids[0], ids.at(-1)]
  const from = numberOf(first)
  const count = numberOf(last) - from + 1
  if (ids.length === 0 || count > MAX_MONTHS) return ids
  return Array.from({ length: count }, (_, at) => nameOf(from + at))
}

const numberOf = (month: string): number =>
  Number(month.slice(0, -3)) * 12 + Number(month.slice(-2)) - 1

const nameOf = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
