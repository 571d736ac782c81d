import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseSearch } from './parse-search.ts'
import { printSearch } from './search.ts'
import { type SearchClock, utcClock } from './search-dates.ts'
import { searchKeyNames, searchKeys } from './search-keys.ts'
import { localClock, withMoments } from './with-moments.ts'

/** A time zone eight hours west of Greenwich. */
const western: SearchClock = {
  now: Date.UTC(2026, 4, 20, 12),
  startOfDay: (...day) => Date.UTC(...day) + 8 * 3_600_000,
}

it.each([
  ['on:2026-05-20', 'date:2026-05-20T08:00:00.000Z..2026-05-21T08:00:00.000Z'],
  ['Castle  -on:today', 'Castle  -date:2026-05-20T08:00:00.000Z..2026-05-21T08:00:00.000Z'],
  [
    '(after:2026 OR added:1d) steps>20',
    '(date:2026-01-01T08:00:00.000Z.. OR added:2026-05-19T12:00:00.000Z..) steps>20',
  ],
  ['after:never  model:"A b"', 'after:never  model:"A b"'],
  ['date:9999 before:9999y', 'date:9999 before:9999y'],
  ['date>7d', 'date:2026-05-13T12:00:00.000Z..'],
])('writes the dates of %j as moments', (typed, sent) => {
  expect(withMoments(typed, western)).toBe(sent)
})

it('is the same text for a minute', () => {
  const minute = Date.UTC(2026, 4, 20, 12, 30)

  const texts = [0, 1, 59_999].map((ms) => withMoments('added:7d', localClock(minute + ms)))

  expect(new Set(texts).size).toBe(1)
  expect(withMoments('added:7d', localClock(minute + 60_000))).not.toBe(texts[0])
})

const pieces = ['a', ' ', ' ', '(', ')', '-', 'OR ', '"', 'on:today', 'date:2026-05..', 'before:1y']
const texts = fc
  .array(fc.constantFrom(...pieces, ...searchKeyNames.map((key) => searchKeys[key].example)))
  .map((parts) => parts.join(''))

it('means in UTC what the typed search means in the time zone', () => {
  fc.assert(
    fc.property(texts, (typed) => {
      const wanted = printSearch(parseSearch(typed, western).terms)
      const sent = parseSearch(withMoments(typed, western), utcClock(western.now))
      expect(printSearch(sent.terms)).toBe(wanted)
    }),
  )
})
