import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLocale } from '#gallery/ui/text/locale.ts'
import { labelOfGroup, languageOfLabel } from './day-label.ts'

beforeAll(() => setLocale('en-US'))
afterAll(() => setLocale(undefined))

const now = new Date(2026, 4, 5, 0, 30)

test.each([
  ['2026-05-05', 'Today'],
  ['2026-05-04', 'Yesterday'],
  ['2026-05-03', 'Sunday, May 3, 2026'],
  ['starred', 'Starred'],
])('labels %s as %s', (key, label) => {
  expect(labelOfGroup(key, now)).toBe(label)
})

test("formats dates in the browser's language and words in the page's", () => {
  setLocale('de-DE')

  expect(labelOfGroup('2026-05-03', now)).toBe('Sonntag, 3. Mai 2026')
  expect(languageOfLabel('Sonntag, 3. Mai 2026')).toBe('de-DE')
  expect(labelOfGroup('2026-05-05', now)).toBe('Today')
  expect(languageOfLabel('Today')).toBeUndefined()
})
