import { expect, test } from 'vitest'
import { calendarOf, monthStarts, monthsBetween, yearsOf } from './time-values.ts'

const month = (id: string) => ({ id, label: id, count: 1, condition: '' })

test('divides days into years, the newest first', () => {
  const years = yearsOf({
    starred_count: 0,
    days: [
      { day: '2026-05-31', count: 2 },
      { day: '2026-05-01', count: 1 },
      { day: '2024-02-29', count: 3 },
    ],
  })

  expect(years.map(({ year, values }) => [year, ...values.map(({ id }) => id)])).toEqual([
    ['2026', '2026-05-01', '2026-05-31'],
    ['2024', '2024-02-29'],
  ])
  expect(years[0]?.values[1]).toMatchObject({ count: 2, condition: 'date:2026-05-31' })
})

test('places each day of a year in its week', () => {
  const [leap] = yearsOf({ starred_count: 0, days: [{ day: '2024-02-29', count: 3 }] })
  if (leap === undefined) throw new Error('There is no year.')
  const days = calendarOf(leap)

  expect(days).toHaveLength(366)
  expect(days[0]).toEqual({ week: 0, weekday: 0, value: null })
  expect(days[59]).toMatchObject({ week: 8, weekday: 3, value: { count: 3 } })
  expect(days.at(-1)).toEqual({ week: 52, weekday: 1, value: null })
  expect(monthStarts('2024').slice(0, 3)).toEqual([0, 4, 8])
})

test('fills the months between the first and the last', () => {
  expect(monthsBetween([month('2026-02'), month('2025-11')])).toEqual([
    ...['2025-11', '2025-12', '2026-01', '2026-02'],
  ])
  expect(monthsBetween([month('2026-02'), month('1970-01')])).toEqual(['1970-01', '2026-02'])
  expect(monthsBetween([])).toEqual([])
})
