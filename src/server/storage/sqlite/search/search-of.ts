import { sql } from 'kysely'
import type { View } from '#server/core/images/image-ports.ts'
import { ALL_KINDS } from '#server/storage/sql/codes.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { IdSet, type Ids, readIds } from '#server/storage/sql/id-set.ts'
import { withLikeness } from '#server/storage/sql/likeness/like-images.ts'
import { evaluateAll } from '#server/storage/sql/search/evaluate-search.ts'
import { parseQuery, type Word } from '#server/storage/sql/search/parse-query.ts'
import { MAX_RANKED, textWeights } from '#server/storage/sql/search/rank-matches.ts'
import { rankingTerm } from '#server/storage/sql/search/ranking-term.ts'
import type { SearchParts } from '#server/storage/sql/search/search-parts.ts'
import type { SearchSource } from '#server/storage/sql/search/search-source.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { IdRange, Reading } from '#server/storage/sqlite/cache/read-cache.ts'
import { fts5Of } from './fts5-of.ts'

export interface FoundSearch {
  /** Finds matching images: those in all returned sets. */
  find: () => Promise<IdSet[]>
  /** Returns the ids of the images that match the words, the best first. null: too many, or there are no words. */
  rank: () => Promise<Uint32Array | null>
}

/** null: the view is not searched. */
export type Search = FoundSearch | null

/**
 * Returns searches to try until one finds an image: as typed, without an unfinished last word, inside words. All of them
 * have the same conditions.
 */
export const searchesOf = (
  reading: Reading,
  { searchTerm }: View,
  { words, conditions }: SearchParts,
): Search[] => {
  const searches = queriesOf(reading, words)
  const common: (() => Promise<IdSet>)[] = []
  const { db, cache } = reading
  if (searchTerm !== undefined && searchTerm !== '')
    common.push(() =>
      cache.matches(db, `term ${searchTerm}`, (range) => idsLike(searchTerm, range)),
    )
  const source = sourceOf(reading)
  if (conditions.length > 0) common.push(() => evaluateAll(source, conditions))
  if (common.length === 0) return searches
  const ranking = rankingTerm(conditions)
  return searches.map((search) => ({
    find: async () => {
      const sets: IdSet[] = []
      for (const find of common) sets.push(await find())
      return search === null ? sets : [...sets, ...(await search.find())]
    },
    rank: async () => (ranking === null ? (search?.rank() ?? null) : source.like(ranking)),
  }))
}

const sourceOf = (reading: Reading): SearchSource => {
  const { db, cache } = reading
  return withLikeness({
    db,
    column: (name) => cache.column(db, name),
    tags: () => cache.tags(db),
    matches: (key, select) =>
      cache.matches(db, key, (range) => select((column) => inRange(column, range))),
    words: (words) => imagesMatching(reading, words),
    texts: (expression) => matchesOf(reading, fts5Of(expression)),
  })
}

const queriesOf = (reading: Reading, query: string): Search[] => {
  const { words, wordsBeforeLast, texts } = parseQuery(query)
  if (texts.length === 0) return [null]
  const searches: Search[] = []
  if (words.length > 0) searches.push(searchFor(reading, words))
  if (wordsBeforeLast?.length === 0) searches.push(null)
  else if (wordsBeforeLast !== null) searches.push(searchFor(reading, wordsBeforeLast))
  const { db, cache } = reading
  const findInside = () =>
    cache.matches(db, `texts ${JSON.stringify(texts)}`, (range) => idsContaining(texts, range))
  return [...searches, { find: async () => [await findInside()], rank: async () => null }]
}

const searchFor = (reading: Reading, words: readonly Word[]): FoundSearch => ({
  find: async () => [await imagesMatching(reading, words)],
  rank: async () => {
    const expression = joinWords(words)
    if ((await matchesOf(reading, expression)).size > MAX_RANKED) return null
    const { prompt, negative_prompt, parameters, file_name } = textWeights
    return readIds(
      reading.db,
      sql`SELECT rowid AS id FROM images_fts WHERE images_fts MATCH ${expression}
        ORDER BY bm25(images_fts, ${prompt}, ${negative_prompt}, ${parameters}, ${file_name}), rowid DESC`,
    )
  },
})

/** Finds the images that match every word by their text or by the name of their board. */
const imagesMatching = async (reading: Reading, words: readonly Word[]): Promise<IdSet> => {
  const byText = await matchesOf(reading, joinWords(words))
  const groups = await boardsByOpenWords(reading.db, words)
  if (groups.size === 0) return byText
  const found = new IdSet(byText.ids())
  for (const [open, boards] of groups) {
    const ids = await idsOnBoards(reading, boards)
    const matches = open === '' ? null : await matchesOf(reading, open)
    found.addAll(matches === null ? ids : ids.filter((id) => matches.has(id)))
  }
  return found
}

const joinWords = (words: readonly Word[]): string =>
  words.map(({ image }) => fts5Of(image)).join(' AND ')

const matchesOf = ({ db, cache }: Reading, expression: string): Promise<IdSet> =>
  cache.matches(db, `words ${expression}`, (range) => matching(expression, range))

const matching = (expression: string, range: IdRange | null): Ids =>
  sql`SELECT rowid AS id FROM images_fts
    WHERE images_fts MATCH ${expression} AND ${inRange('rowid', range)}`

const idsOnBoards = async ({ db, cache }: Reading, boards: readonly number[]) => {
  const table = await cache.loadedTable(db)
  if (table !== null) return table.idsOn(boards)
  return readIds(
    db,
    sql`SELECT id FROM images INDEXED BY board_created
      WHERE kind IN (${sql.join(ALL_KINDS)}) AND ${isOneOf(db, 'board', boards)} AND deleted_at IS NULL`,
  )
}

/** Finds boards whose names match some of the words, grouped by the expression of the remaining words. */
const boardsByOpenWords = async (db: Db, words: readonly Word[]) => {
  const matched = new Map<number, Set<Word>>()
  for (const word of words)
    for (const board of await boardsMatching(db, fts5Of(word.plain)))
      matched.set(board, (matched.get(board) ?? new Set()).add(word))

  const groups = new Map<string, number[]>()
  for (const [board, byName] of matched) {
    const open = joinWords(words.filter((word) => !byName.has(word)))
    groups.set(open, [...(groups.get(open) ?? []), board])
  }
  return groups
}

const boardsMatching = async (db: Db, word: string): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    SELECT rowid AS id FROM boards_fts WHERE boards_fts MATCH ${word}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The characters of a `created_at`, which has at most four digits in a row. */
const DATE_LIKE = /^(?!.*\d{5})[\d\s:.%_-]+$/

/** Returns a condition that restricts a column of ids to a range. */
const inRange = (column: string, range: IdRange | null) =>
  range === null
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(column)} BETWEEN ${range.first} AND ${range.last}`

/**
 * Selects the ids of images whose metadata text or `created_at` contains a term. As in InvokeAI, `%` and `_` are
 * wildcards, and the case of ASCII letters is ignored. The text is the response of `GET .../metadata`.
 */
const idsLike = (term: string, range: IdRange | null): Ids => {
  const pattern = `%${term}%`
  const inMetadata = sql<{ id: number }>`
    SELECT image AS id FROM image_metadata
    WHERE coalesce(invokeai, normal) LIKE ${pattern} AND ${inRange('image', range)}`
  if (!DATE_LIKE.test(term)) return inMetadata
  return sql`SELECT id FROM (${inMetadata} UNION SELECT id FROM images
    WHERE strftime('%Y-%m-%d %H:%M:%f', created_at / 1000.0, 'unixepoch') LIKE ${pattern}
      AND ${inRange('images.id', range)})`
}

/** Selects images whose metadata text or file name contains each of the texts. Reads the text of every image. */
const idsContaining = (texts: readonly string[], range: IdRange | null): Ids => {
  const isContained = texts.map((text) => {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
    return sql`(coalesce(invokeai, normal) LIKE ${pattern} ESCAPE '\\'
      OR file_name LIKE ${pattern} ESCAPE '\\')`
  })
  return sql`SELECT images.id FROM images LEFT JOIN image_metadata ON image = images.id
    WHERE ${sql.join(isContained, sql` AND `)} AND ${inRange('images.id', range)}`
}
