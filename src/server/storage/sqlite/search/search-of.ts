import { type RawBuilder, sql } from 'kysely'
import type { View } from '#server/core/image-ports.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { idsContaining, idsLike } from './ids-like.ts'
import { idsMatching } from './ids-matching.ts'
import { parseQuery } from './parse-query.ts'

type Ids = RawBuilder<{ id: number }>

/** A query for the images that match, or `all`. */
export type Search = 'all' | Ids

/**
 * What a view searches for, in the ways to be tried in turn until one finds an image: the words as typed, the
 * words without an unfinished last one, and the words as parts of other words. Only a search for nothing
 * begins with `all`.
 */
export const searchesOf = async (db: Db, { searchTerm, query }: View): Promise<Search[]> => {
  const term = searchTerm === undefined || searchTerm === '' ? null : idsLike(searchTerm)
  const searches = query === undefined ? ['all' as const] : await queriesOf(db, query)
  return searches.map((search) => {
    if (term === null) return search
    return search === 'all' ? term : sql`${search} INTERSECT ${term}`
  })
}

const queriesOf = async (db: Db, query: string): Promise<Search[]> => {
  const { words, wordsBeforeLast, texts } = parseQuery(query)
  if (texts.length === 0) return ['all']
  const searches: Search[] = []
  if (words.length > 0) searches.push(await idsMatching(db, words))
  if (wordsBeforeLast !== null)
    searches.push(wordsBeforeLast.length === 0 ? 'all' : await idsMatching(db, wordsBeforeLast))
  return [...searches, idsContaining(texts)]
}
