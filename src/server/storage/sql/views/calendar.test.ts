import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calendarOf, DAY_MS } from './calendar.ts'

const hoursOf = (timeZone: string, date: string): number => {
  const { startOf } = calendarOf(timeZone)
  const day = Date.parse(date) / DAY_MS
  return (startOf(day + 1) - startOf(day)) / 3_600_000
}

test.each([
  ['UTC', '2026-03-29', 24],
  ['Europe/Berlin', '2026-03-28', 24],
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['America/New_York', '2026-11-01', 25],
  ['Australia/Lord_Howe', '2026-10-04', 23.5],
  ['Asia/Kathmandu', '2026-10-04', 24],
  // Days without a midnight, and in Samoa a whole day was skipped.
  ['America/Sao_Paulo', '2018-11-04', 23],
  ['Pacific/Apia', '2011-12-30', 0],
  // Clocks were set back from 0:01 to 23:01, so that midnight occurred twice.
  ['America/St_Johns', '2010-11-06', 24],
  ['America/St_Johns', '2010-11-07', 25],
])('counts in %s for %s %d hours', (timeZone, date, hours) => {
  expect(hoursOf(timeZone, date)).toBe(hours)
})

test.each([
  ['Europe/Berlin', '2026-01-01T22:59:59.999Z', '2026-01-01'],
  ['Europe/Berlin', '2026-01-01T23:00:00.000Z', '2026-01-02'],
  ['Pacific/Kiritimati', '2026-01-01T10:00:00.000Z', '2026-01-02'],
  ['Pacific/Pago_Pago', '2026-01-01T10:59:59.999Z', '2025-12-31'],
  ['Asia/Kolkata', '1969-12-30T18:30:00.000Z', '1969-12-31'],
  // Local mean time, 9 min 21 s ahead.
  ['Europe/Paris', '1900-12-31T23:50:38.999Z', '1900-12-31'],
  ['Europe/Paris', '1900-12-31T23:50:39.000Z', '1901-01-01'],
])('assigns in %s the time %s to %s', (timeZone, at, date) => {
  expect(calendarOf(timeZone).dayOf(Date.parse(at))).toBe(Date.parse(date) / DAY_MS)
})

test('assigns every time to the date that clocks in the zone show', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Tokyo', 'Asia/Tehran']
  const moments = { min: new Date('1980-01-01'), max: new Date('2060-01-01'), noInvalidDate: true }
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.date(moments), (timeZone, at) => {
      const shown = new Intl.DateTimeFormat('en-CA', { timeZone }).format(at)
      expect(calendarOf(timeZone).dayOf(at.getTime())).toBe(Date.parse(shown) / DAY_MS)
    }),
  )
})
