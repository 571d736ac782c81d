import { expect, test } from 'vitest'
import type { NormalMetadata } from '#contract/metadata.ts'
import { queryFor, similarQuery } from './search-queries.ts'

test.each([
  { value: 'flux', takesPhrases: true, query: 'flux' },
  { value: 'DPM++ 2M Karras', takesPhrases: true, query: '"DPM++ 2M Karras"' },
  { value: 'DPM++ 2M Karras', takesPhrases: false, query: 'DPM++ 2M Karras' },
  { value: 'a "red" fox', takesPhrases: true, query: '"a  red  fox"' },
  { value: 'first line\nsecond line', takesPhrases: true, query: '"first line"' },
])('searches for $value with the query $query', ({ value, takesPhrases, query }) => {
  expect(queryFor(value, takesPhrases)).toBe(query)
})

test('shortens a long prompt at a word boundary', () => {
  const query = queryFor('castle '.repeat(100), false)

  expect(query.length).toBeLessThanOrEqual(120)
  expect(query.endsWith('castle')).toBe(true)
})

const metadataOf = (known: Partial<NormalMetadata>) => known as NormalMetadata

test.each<[Partial<NormalMetadata> | null, boolean, string]>([
  [
    { prompt: 'a castle on a hill, sunset, 8k', model: 'flux-dev' },
    true,
    '"a castle on a hill" "flux-dev"',
  ],
  [{ prompt: 'a castle on a hill, sunset', model: 'flux-dev' }, false, 'a castle on a hill'],
  [{ prompt: null, model: 'flux' }, false, 'flux'],
  [{ prompt: 'tower', model: null }, true, 'tower'],
  [{ prompt: '', model: null }, true, ''],
  [null, true, ''],
])('searches for images like %j', (known, takesPhrases, query) => {
  expect(similarQuery(known && metadataOf(known), takesPhrases)).toBe(query)
})
