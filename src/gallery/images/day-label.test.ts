import { expect, test } from 'vitest'
import { labelOfGroup, labelOfMonth } from './day-label.ts'

const now = new Date(2026, 4, 5, 0, 30)

test.each([
  ['2026-05-05', 'Today'],
  ['2026-05-04', 'Yesterday'],
  ['2026-05-03', 'Sunday, 3 May 2026'],
  ['starred', 'Starred'],
])('%s is called %s', (key, label) => {
  expect(labelOfGroup(key, now)).toBe(label)
})

test('a month is called by its name', () => {
  expect(labelOfMonth('2026-05')).toBe('May 2026')
})
