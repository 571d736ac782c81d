import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSearch } from './parse-search.ts'
import { isWordsOnly, printSearch, type Search, type SearchTerm } from './search.ts'
import { type SearchClock, utcClock } from './search-dates.ts'
import { searchKeyNames, searchKeys } from './search-keys.ts'

const now = Date.UTC(2026, 4, 20, 12)
const clock = utcClock(now)

const DAY_MS = 86_400_000

/** Returns terms without their places. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, member) => (key === 'start' || key === 'end' ? undefined : member)),
  )
const termsOf = (text: string): unknown => plain(parseSearch(text, clock).terms)
const faultsOf = (text: string) =>
  parseSearch(text, clock).faults.map(({ start, end, message }) => [
    text.slice(start, end),
    message,
  ])

const word = (text: string, isPhrase = false) => ({ type: 'word', text, isPhrase })
const text = (key: string, value: string, isExact = false) => ({
  type: 'text',
  key,
  text: value,
  isExact,
})
const range = (key: string, limits: object) => ({
  type: 'range',
  key,
  min: null,
  max: null,
  isMinExcluded: false,
  isMaxExcluded: false,
  ...limits,
})
const choice = (key: string, value: string) => ({ type: 'choice', key, choice: value })
const not = (term: unknown) => ({ type: 'not', term })
const any = (...terms: unknown[]) => ({ type: 'any', terms })
const all = (...terms: unknown[]) => ({ type: 'all', terms })

it.each<[string, ...unknown[]]>([
  [''],
  ['castle', word('castle')],
  ['castle "wide shot"', word('castle'), word('wide shot', true)],
  ['"by the', word('by the', true)],
  ['-neon', not(word('neon'))],
  ['-"wide shot"', not(word('wide shot', true))],
  ['a - b', word('a'), word('-'), word('b')],
  ['--fast', word('--fast')],
  ['model:flux', text('model', 'flux')],
  ['MODEL:Flux', text('model', 'Flux')],
  ['model:"dream shaper"', text('model', 'dream shaper')],
  ['model=flux', text('model', 'flux', true)],
  ['model:=flux', text('model', 'flux', true)],
  ['-lora:film', not(text('lora', 'film'))],
  ['seed:18446744073709551615', text('seed', '18446744073709551615')],
  ['steps>20', range('steps', { min: 20, isMinExcluded: true })],
  ['steps:>=20', range('steps', { min: 20 })],
  ['cfg:6.5..8', range('cfg', { min: 6.5, max: 8 })],
  ['cfg:..8', range('cfg', { max: 8 })],
  ['cfg:6.5..', range('cfg', { min: 6.5 })],
  ['width=1024px', range('width', { min: 1024, max: 1024 })],
  ['bytes>5mb', range('bytes', { min: 5_000_000, isMinExcluded: true })],
  ['bytes<=1.5MiB', range('bytes', { max: 1_572_864 })],
  ['duration<1:30', range('duration', { max: 90, isMaxExcluded: true })],
  [
    'size:1024x768',
    range('width', { min: 1024, max: 1024 }),
    range('height', { min: 768, max: 768 }),
  ],
  ['shape:Portrait', choice('shape', 'portrait')],
  ['type:JPEG', choice('type', 'jpg')],
  ['like:0198.png', text('like', '0198.png')],
  ['like:Prompt:0198.png', text('like', 'Prompt:0198.png')],
  [
    'color:#ff8800 color:F80 color:Orange',
    ...['#ff8800', 'F80', 'Orange'].map((value) => text('color', value)),
  ],
  ['is:starred', choice('is', 'starred')],
  ['kind:videos', choice('kind', 'video')],
  ['a OR b c', any(word('a'), word('b')), word('c')],
  ['a OR b OR c', any(word('a'), word('b'), word('c'))],
  [
    '(model:flux OR model:sdxl) -neon',
    any(text('model', 'flux'), text('model', 'sdxl')),
    not(word('neon')),
  ],
  ['-(a b)', not(all(word('a'), word('b')))],
  ['(a b) OR c', any(all(word('a'), word('b')), word('c'))],
  ['(a (b c))', word('a'), word('b'), word('c')],
  ['or and NOT OR', word('or'), word('and'), word('NOT'), word('OR', true)],
  ['OR', word('OR', true)],
  ['('],
  [')'],
  ['()'],
  ['(masterpiece:1.2), best', word('masterpiece:1.2'), word(','), word('best')],
  ['foo(bar) baz)', word('foo(bar)'), word('baz')],
  ['https://example.org/a', word('https://example.org/a')],
  ['re:zero 16:9', word('re:zero'), word('16:9')],
  ['steps', word('steps')],
])('parses %j', (search, ...terms) => {
  expect(termsOf(search)).toEqual(terms)
  expect(faultsOf(search)).toEqual([])
})

it.each<[string, string, string]>([
  ['steps>x', 'x', 'A number is expected, as in steps>20.'],
  ['steps>', '', 'A value is expected, as in steps>20.'],
  ['steps>20..30', '20..30', 'A range needs no comparison, as in steps:20..30.'],
  ['steps:30..20', '30..20', 'The first number is larger than the second one.'],
  ['steps:..', '..', 'A number is expected, as in steps>20.'],
  ['cfg:1e5', '1e5', 'A number is expected, as in cfg:6.5..8.'],
  ['bytes>5xb', '5xb', 'A number is expected, as in bytes>5mb.'],
  ['bytes>999999999tb', '999999999tb', 'A number is expected, as in bytes>5mb.'],
  ['model:', '', 'A value is expected, as in model:flux.'],
  ['model:""', '""', 'A value is expected, as in model:flux.'],
  ['model>flux', 'flux', 'model is compared with : or =, not with >.'],
  ['seed:abc', 'abc', 'A whole number is expected.'],
  [
    'like:sound:a.png',
    'sound:a.png',
    'The name of an image is expected, as in like:NAME or like:prompt:NAME.',
  ],
  ['color:reddish', 'reddish', 'A color is expected, such as #ff8800 or orange.'],
  ['color:#ff88', '#ff88', 'A color is expected, such as #ff8800 or orange.'],
  ['shape:round', 'round', 'One of these is expected: landscape, portrait, square.'],
  ['is>starred', 'starred', 'One of these is expected: starred, animated.'],
  ['after:2026-13', '2026-13', 'A date is expected, such as 2026-05-31, 2026-05, yesterday or 7d.'],
  [
    'on:2026-02-30',
    '2026-02-30',
    'A date is expected, such as 2026-05-31, 2026-05, yesterday or 7d.',
  ],
])('finds the fault of %j and runs the rest', (condition, place, message) => {
  expect(faultsOf(`castle ${condition} sea`)).toEqual([[place, message]])
  expect(termsOf(`castle ${condition} sea`)).toEqual([word('castle'), word('sea')])
})

it('refuses more than 100 conditions', () => {
  const { terms, faults } = parseSearch('a '.repeat(200), clock)

  expect(terms).toHaveLength(100)
  expect(faults).toMatchObject([{ start: 200, end: 400 }])
})

it('reads any number of parentheses', () => {
  expect(termsOf(`${'('.repeat(500)}a`)).toEqual([word('a')])
})

describe('dates', () => {
  const at = (...date: [number, number, number?]) => Date.UTC(date[0], date[1] - 1, date[2] ?? 1)
  it.each<[string, string, number | null, number | null]>([
    ['date:2026', 'date', at(2026, 1), at(2027, 1)],
    ['date:2026-05', 'date', at(2026, 5), at(2026, 6)],
    ['on:2026-12-31', 'date', at(2026, 12, 31), at(2027, 1)],
    ['on:2024-2-29', 'date', at(2024, 2, 29), at(2024, 3)],
    ['after:2026-05', 'date', at(2026, 5), null],
    ['before:2026-06-15', 'date', null, at(2026, 6, 15)],
    ['date>2026-05', 'date', at(2026, 6), null],
    ['date<=2026-05', 'date', null, at(2026, 6)],
    ['date:2026-01..2026-03', 'date', at(2026, 1), at(2026, 4)],
    ['date:..2026-03', 'date', null, at(2026, 4)],
    ['on:today', 'date', at(2026, 5, 20), at(2026, 5, 21)],
    ['on:yesterday', 'date', at(2026, 5, 19), at(2026, 5, 20)],
    ['added:7d', 'added', now - 7 * DAY_MS, null],
    ['before:1y', 'date', null, now - 365 * DAY_MS],
    ['added>7d', 'added', now - 7 * DAY_MS, null],
    ['date<=7d', 'date', null, now - 7 * DAY_MS],
    ['date:2w..', 'date', now - 14 * DAY_MS, null],
    ['added:2026-05-01T10:00:00.000Z..', 'added', at(2026, 5, 1) + 10 * 3_600_000, null],
  ])('reads %s', (search, key, min, max) => {
    expect(termsOf(search)).toEqual([range(key, { min, max, isMaxExcluded: true })])
  })

  it.each([
    ['a zone west of Greenwich', 8, '2026-05-20T03:00:00Z', '2026-05-19T08:00:00Z'],
    ['a zone east of Greenwich', -10, '2026-05-20T20:00:00Z', '2026-05-20T14:00:00Z'],
  ])('finds today in %s', (_zone, hours, moment, start) => {
    const local: SearchClock = {
      now: Date.parse(moment),
      startOfDay: (...day) => Date.UTC(...day) + hours * 3_600_000,
    }

    expect(parseSearch('on:today', local).terms).toMatchObject([
      { min: Date.parse(start), max: Date.parse(start) + DAY_MS },
    ])
  })
})

it('gives the example of each key a meaning', () => {
  for (const key of searchKeyNames) {
    const { example } = searchKeys[key]
    expect(faultsOf(example)).toEqual([])
    expect(isWordsOnly(parseSearch(example))).toBe(false)
  }
})

const pieces = fc.constantFrom(
  ...['date>7d', 'added<=2w', 'on:1y'],
  ...[
    'a',
    'OR',
    'OR ',
    ' ',
    ' ',
    '(',
    ')',
    '-',
    '"',
    ':',
    '>',
    '=',
    '..',
    '20',
    'x',
    ',',
    '夜',
    '🦊',
  ],
  ...searchKeyNames.map((key) => searchKeys[key].example),
)
const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''))

/** Places of terms are inside those of the terms that contain them. */
const expectPlaces = (terms: readonly SearchTerm[], length: number, from = 0) => {
  for (const term of terms) {
    expect(term.start).toBeGreaterThanOrEqual(from)
    expect(term.end).toBeLessThanOrEqual(length)
    expect(term.start).toBeLessThan(term.end)
    if (term.type === 'not') expectPlaces([term.term], term.end, term.start)
    if ('terms' in term) expectPlaces(term.terms, term.end, term.start)
  }
}

it('has a meaning and places for any text', () => {
  fc.assert(
    fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (search) => {
      const { terms, faults } = parseSearch(search, clock)
      expectPlaces(terms, search.length)
      for (const { start, end } of faults) {
        expect(start).toBeGreaterThanOrEqual(0)
        expect(end).toBeLessThanOrEqual(search.length)
      }
    }),
  )
})

it('prints what it parsed so that it is parsed as the same terms', () => {
  fc.assert(
    fc.property(texts, (search) => {
      const parsed: Search = parseSearch(search, clock)
      expect(termsOf(printSearch(parsed.terms))).toEqual(plain(parsed.terms))
    }),
    { numRuns: 1000 },
  )
})
