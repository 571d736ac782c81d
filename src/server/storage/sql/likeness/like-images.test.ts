import { expect, test } from 'vitest'
import { parseSearch } from '#contract/search/parse-search.ts'
import { IdSet } from '#server/storage/sql/id-set.ts'
import { evaluateAll } from '#server/storage/sql/search/evaluate-search.ts'
import { rankingTerm } from '#server/storage/sql/search/ranking-term.ts'
import { withLikeness } from './like-images.ts'

test('computes a condition once, to find its images and to sort them', async () => {
  const read: string[] = []
  const nothing = async () => new IdSet()
  const source = withLikeness({
    db: undefined as never,
    column: async (name) => {
      read.push(name)
      return Uint32Array.of(0, 1, 1)
    },
    tags: async () => new Uint32Array(),
    ...{ matches: nothing, words: nothing, texts: nothing },
  })
  const { terms } = parseSearch('color:#000000')
  const ranking = rankingTerm(terms)
  if (ranking === null) throw new Error('A color ranks images.')

  const found = await evaluateAll(source, terms)
  expect([...(await source.like(ranking))].toSorted()).toEqual([...found.ids()])
  expect(read.toSorted()).toEqual(['colors_bottom', 'colors_middle', 'colors_top'])
})
