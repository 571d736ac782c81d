import { expect, test } from 'vitest'
import { viewOf } from './view-of.ts'

test.each(['', ' ', '"', '" '])('treats %j as no query', (query) => {
  expect(viewOf({ query })).not.toHaveProperty('query')
})

test.each(['castle', '"castle', '%'])('treats %j as a query', (query) => {
  expect(viewOf({ query })).toHaveProperty('query', query)
})
