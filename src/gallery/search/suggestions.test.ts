import { expect, it } from 'vitest'
import { parseSearch } from '#contract/search/parse-search.ts'
import { searchKeyNames } from '#contract/search/search-keys.ts'
import { keySuggestions, recentAndExamples, valueSuggestions } from './suggestions.ts'

const today = new Date(2026, 4, 20)

const labelsOf = (key: Parameters<typeof valueSuggestions>[0]['key'], typed = '') =>
  valueSuggestions({ type: 'value', key, typed, start: 0, end: 0 }, today).suggestions.map(
    ({ label }) => label,
  )

it('finds keys by the beginning of their name or of a word of their label', () => {
  const keysOf = (typed: string) => keySuggestions(typed).suggestions.map(({ label }) => label)

  expect(keysOf('mo')).toEqual(['model:'])
  expect(keysOf('SI')).toEqual(['size>=', 'bytes>', 'after:'])
  expect(keysOf('castle')).toEqual([])
  expect(keysOf('')).toHaveLength(searchKeyNames.length)
})

it('lists the choices and the usual dates of a key', () => {
  expect(labelsOf('shape')).toEqual(['landscape', 'portrait', 'square'])
  expect(labelsOf('is', 'St')).toEqual(['starred'])
  expect(labelsOf('after')).toEqual(['today', 'yesterday', '7d', '2026-05', '2026'])
  expect(labelsOf('steps')).toEqual([])
})

it('gives only examples that are understood', () => {
  const examples = recentAndExamples([])[1]?.suggestions ?? []

  expect(examples.length).toBeGreaterThan(2)
  for (const { text = '' } of examples) expect(parseSearch(text).faults).toEqual([])
})
