import { expect, test } from 'vitest'
import { viewOf } from './view-of.ts'

test.each(['', ' ', '"', '" '])('%j is no query', (query) => {
  expect(viewOf({ query })).not.toHaveProperty('query')
})

test.each(['castle', '"castle', '%'])('%j is one', (query) => {
  expect(viewOf({ query })).toHaveProperty('query', query)
})
