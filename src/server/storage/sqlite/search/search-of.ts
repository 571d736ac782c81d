import type { View } from '#server/core/image-ports.ts'
import type { IdSet } from '#server/storage/sqlite/cache/id-set.ts'
import type { Reading } from '#server/storage/sqlite/reading.ts'
import { idsContaining, idsLike } from './ids-like.ts'
import { imagesMatching } from './ids-matching.ts'
import { parseQuery } from './parse-query.ts'

/** Finds the images that match; those in all of these sets do. Null: the view is not searched. */
export type Search = (() => Promise<IdSet[]>) | null

/**
 * What a view searches for, in the ways to be tried in turn until one finds an image: the words as typed, the
 * words without an unfinished last one, and the words as parts of other words.
 */
export const searchesOf = (reading: Reading, { searchTerm, query = '' }: View): Search[] => {
  const searches = queriesOf(reading, query)
  if (searchTerm === undefined || searchTerm === '') return searches
  const { db, cache } = reading
  const findTerm = () =>
    cache.matches(db, `term ${searchTerm}`, (range) => idsLike(searchTerm, range))
  return searches.map((search) => async () => [
    await findTerm(),
    ...(search === null ? [] : await search()),
  ])
}

const queriesOf = (reading: Reading, query: string): Search[] => {
  const { words, wordsBeforeLast, texts } = parseQuery(query)
  if (texts.length === 0) return [null]
  const searches: Search[] = []
  if (words.length > 0) searches.push(async () => [await imagesMatching(reading, words)])
  if (wordsBeforeLast?.length === 0) searches.push(null)
  else if (wordsBeforeLast !== null)
    searches.push(async () => [await imagesMatching(reading, wordsBeforeLast)])
  const { db, cache } = reading
  const findInside = () =>
    cache.matches(db, `texts ${JSON.stringify(texts)}`, (range) => idsContaining(texts, range))
  return [...searches, async () => [await findInside()]]
}
