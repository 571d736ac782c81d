import { expect, test } from 'vitest'
import { type SectionKey, textForServer, textOfValue, valuesWith } from './facet-sections.ts'

test.each<[SectionKey, string, string]>([
  ['generator', 'a1111', 'Stable Diffusion web UI'],
  ['shape', 'portrait', 'Portrait'],
  ['size', '1024x768', '1024 × 768'],
  ['type', 'webp', 'WEBP'],
  ['month', '2026-05', 'May 2026'],
  ['model', 'flux1-dev', 'flux1-dev'],
])('writes the value of %s %s as %s', (key, value, text) => {
  expect(textOfValue(key, value)).toBe(text)
})

test('filters months and generators by the words on the page, and the others on the server', () => {
  const values = ['2026-05', '2026-04', '2025-05'].map((value) => ({ value, count: 1 }))
  const found = (text: string) => valuesWith('month', values, text).map(({ value }) => value)

  expect(found('may')).toEqual(['2026-05', '2025-05'])
  expect(found('2026-04')).toEqual(['2026-04'])
  expect(textForServer('month', 'may')).toBe('')
  expect(textForServer('model', 'flux')).toBe('flux')
  expect(valuesWith('model', values, 'flux')).toEqual(values)
})
