import { expect, test } from 'vitest'
import { countsOfTag } from './use-mark-counts.ts'

const marks = (counts: Record<string, number>, isComplete: boolean) => ({
  counts: new Map(Object.entries(counts)),
  isComplete,
})
const tag = { name: 'rare', color: null, count: 3, used_at: '' }
const row = { name: 'rare', tag, hasLevels: false, hasImages: true }
const all = marks({ people: 9 }, false)

test.each([
  ['nothing is searched', undefined, { count: 3, found: undefined }],
  ['its number of found images is known', marks({ rare: 1 }, false), { count: 3, found: 1 }],
  ['all other numbers are known', marks({ people: 2 }, true), { count: 3, found: 0 }],
  [
    'numbers of found images are missing',
    marks({ people: 2 }, false),
    { count: undefined, found: undefined },
  ],
])('counts a rare tag if %s', (_, found, expected) => {
  expect(countsOfTag({ all, found }, row)).toEqual(expected)
})

test('shows no number for a level whose tags below are not counted yet', () => {
  expect(countsOfTag({ all, found: undefined }, { ...row, hasLevels: true }).count).toBeUndefined()
})
