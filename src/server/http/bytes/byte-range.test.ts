import { expect, test } from 'vitest'
import { parseRange } from './byte-range.ts'

test.each<[string | undefined, ReturnType<typeof parseRange>]>([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['Bytes=10-10', { start: 10, end: 10 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-5', { start: 95, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  [undefined, null],
  ['bytes=-', null],
  ['bytes=9-0', null],
  ['bytes=0-1,5-6', null],
  ['bytes=a-b', null],
  ['items=0-9', null],
])('parses the range %j of 100 bytes', (header, range) => {
  expect(parseRange(header, 100)).toEqual(range)
})

test('has no range in an empty file', () => {
  expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable')
})
