import { afterEach, expect, test } from 'vitest'
import { countOf, formatBytes, formatDecimal } from './count.ts'
import { setLocale } from './locale.ts'
import { formatDate, formatDay, formatMonth, formatRecent, formatTimestamp } from './timestamp.ts'

afterEach(() => setLocale(undefined))

const AFTERNOON = '2026-11-22 16:18:00.000'
const hereAt = (timestamp: string) => new Date(`${timestamp.replace(' ', 'T')}Z`)
/** Returns the hour of the afternoon in the local time zone: `16` or `4`. */
const hourIn = (locale: string) =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric', hour12: locale === 'en-US' })
    .formatToParts(hereAt(AFTERNOON))
    .find(({ type }) => type === 'hour')?.value

test.each([
  ['en-US', '12,431 images', '4.1 MiB', '0.5'],
  ['de-DE', '12.431 images', '4,1 MiB', '0,5'],
])('formats numbers in %s', (locale, count, bytes, decimal) => {
  setLocale(locale)

  expect(countOf(12_431, 'image')).toBe(count)
  expect(formatBytes(4.1 * 1024 * 1024)).toBe(bytes)
  expect(formatDecimal(0.5)).toBe(decimal)
})

test.each([
  ['en-US', 'Sunday, May 3, 2026', 'May 2026', 'Nov 22, 2026'],
  ['de-DE', 'Sonntag, 3. Mai 2026', 'Mai 2026', '22.11.2026'],
  ['en-GB', 'Sunday, 3 May 2026', 'May 2026', '22 Nov 2026'],
])('formats dates in %s', (locale, day, month, date) => {
  setLocale(locale)

  expect(formatDay('2026-05-03')).toBe(day)
  expect(formatMonth('2026-05')).toBe(month)
  expect(formatDate('2026-11-22 12:00:00.000')).toBe(date)
})

test.each([
  ['en-US', /^\d+:18\s[AP]M$/],
  ['de-DE', /^\d+:18$/],
])('uses the 12-hour or 24-hour clock of %s', (locale, pattern) => {
  setLocale(locale)
  const at = hereAt(AFTERNOON)
  const isToday = formatRecent(at.getTime(), at)

  expect(isToday).toMatch(pattern)
  expect(isToday).toContain(`${hourIn(locale)}:18`)
  expect(formatTimestamp(AFTERNOON)).toContain(`${hourIn(locale)}:18`)
})

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1.0 KiB'],
  [1_048_575, '1.0 MiB'],
  [200 * 1024 * 1024, '200 MiB'],
  [5 * 1024 ** 4, '5.0 TiB'],
])('formats %i bytes as %s', (bytes, text) => {
  setLocale('en-US')
  expect(formatBytes(bytes)).toBe(text)
})

test('shows an invalid timestamp unchanged', () => {
  expect(formatTimestamp('unknown')).toBe('unknown')
})
