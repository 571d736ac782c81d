import { type RawBuilder, sql } from 'kysely'
import type { View } from '#server/core/images/image-ports.ts'
import { ALL_KINDS } from '#server/storage/sql/codes.ts'
import { isOneOf } from '#server/storage/sql/dialect.ts'
import { IdSet, type Ids, readIds } from '#server/storage/sql/id-set.ts'
import { withLikeness } from '#server/storage/sql/likeness/like-images.ts'
import { evaluateAll } from '#server/storage/sql/search/evaluate-search.ts'
import { parseQuery, type Word } from '#server/storage/sql/search/parse-query.ts'
import { textWeights } from '#server/storage/sql/search/rank-matches.ts'
import { rankingTerm } from '#server/storage/sql/search/ranking-term.ts'
import type { SearchParts } from '#server/storage/sql/search/search-parts.ts'
import type { SearchSource } from '#server/storage/sql/search/search-source.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import { columnOf, tagsOf } from './columns-of.ts'
import type { Remember } from './results.ts'
import { tsqueryOf, weightsOf } from './search-vector.ts'

type Condition = RawBuilder<boolean>

/** The images that match a search. */
export interface Matches {
  /** On rows of `images`. null: every image matches. */
  condition: Condition | null
  /** Selects them by their words, without their rows. May contain duplicates and the trash. null: it cannot. */
  ids: Ids | null
  /** Selects the images that do not match. null: it cannot. */
  others: Ids | null
  /** The words, as a `tsquery` to rank the matches by. null: there are none. */
  query: RawBuilder<unknown> | null
  /** Only these images match. null: all that the condition matches. */
  within: IdSet | null
  /** Returns the best matches first, by a condition on likeness. null: there is none. */
  best: (() => Promise<Uint32Array>) | null
}

/** null: the view is not searched. */
export type Search = ((db: Db) => Promise<Matches>) | null

/**
 * Returns searches to be tried in turn until one finds an image: for the words as typed, without an unfinished last
 * one, and as parts of other words.
 */
export const searchesOf = (
  { searchTerm }: View,
  { words, conditions }: SearchParts,
  remember: Remember,
): Search[] => {
  let searches = queriesOf(words)
  if (searchTerm !== undefined && searchTerm !== '') {
    const hasTerm = isLike(searchTerm)
    searches = searches.map((search) => async (db) => {
      const { condition } = search === null ? await findAll() : await search(db)
      return byCondition(condition === null ? hasTerm : sql`${hasTerm} AND ${condition}`)
    })
  }
  if (conditions.length === 0) return searches
  const ranking = rankingTerm(conditions)
  /** A view that is sorted by relevance needs the matches twice. */
  const known = new WeakMap<Db, { source: SearchSource; within: Promise<IdSet> }>()
  const conditionsIn = (db: Db) => {
    const before = known.get(db)
    if (before !== undefined) return before
    const source = sourceOf(db, remember)
    const found = { source, within: evaluateAll(source, conditions) }
    known.set(db, found)
    return found
  }
  return searches.map((search) => async (db) => {
    const { source, ...found } = conditionsIn(db)
    const within = await found.within
    return {
      ...(search === null ? await findAll() : await search(db)),
      within,
      best: ranking && (() => source.like(ranking)),
    }
  })
}

const sourceOf = (db: Db, remember: Remember): SearchSource =>
  withLikeness({
    db,
    column: (name) => columnOf(db, remember, name),
    tags: () => tagsOf(db, remember),
    matches: async (_key, select) =>
      new IdSet(
        await readIds(
          db,
          select(() => sql`TRUE`),
        ),
      ),
    words: async (words) => {
      const { condition } = await matchesWords(db, words)
      return new IdSet(
        await readIds(db, sql`SELECT id FROM images WHERE deleted_at IS NULL AND ${condition}`),
      )
    },
    texts: async (expression) =>
      new IdSet(await readIds(db, idsByText(sql`${tsqueryOf(expression)}::tsquery`))),
  })

const queriesOf = (query: string): Search[] => {
  const { words, wordsBeforeLast, texts } = parseQuery(query)
  if (texts.length === 0) return [null]
  const searches: Search[] = []
  if (words.length > 0) searches.push((db) => matchesWords(db, words))
  if (wordsBeforeLast?.length === 0) searches.push(null)
  else if (wordsBeforeLast !== null) searches.push((db) => matchesWords(db, wordsBeforeLast))
  return [...searches, async () => byCondition(containsAll(texts))]
}

/** Divides by the logarithm of the number of words, as SQLite prefers short texts too. */
const SHORT_FIRST = 1

/** Returns the ids of matches, the best first. */
export const rankedIds = (
  db: Db,
  ids: Uint32Array,
  query: RawBuilder<unknown>,
): Promise<Uint32Array> =>
  readIds(
    db,
    sql`SELECT image AS id FROM image_search
      WHERE words @@ ${query} AND ${isOneOf(db, 'image', [...ids])}
      ORDER BY ts_rank(${weightsOf(textWeights)}::real[], words, ${query}, ${SHORT_FIRST}) DESC, image DESC`,
  )

/** Finds every image. */
export const findAll = async (): Promise<Matches> => byCondition(null)

const byCondition = (condition: Condition | null): Matches => ({
  condition,
  ids: null,
  others: null,
  query: null,
  within: null,
  best: null,
})

/** Finds the images that match every word by their text or by the name of their board. */
const matchesWords = async (db: Db, words: readonly Word[]): Promise<Matches> => {
  const query = queryOf(words)
  const byText = idsByText(query)
  const onBoards: Condition[] = []
  for (const { boards, open } of await boardsByOpenWords(db, words)) {
    const isOnBoard = isOneOf(db, 'board', boards)
    onBoards.push(
      open.length === 0
        ? isOnBoard
        : sql<boolean>`(${isOnBoard} AND id IN (${idsByText(queryOf(open))}))`,
    )
  }
  if (onBoards.length === 0) {
    const others: Ids = sql`SELECT image AS id FROM image_search WHERE NOT words @@ ${query}`
    return {
      condition: sql`id IN (${byText})`,
      ids: byText,
      others,
      query,
      within: null,
      best: null,
    }
  }
  const isOnBoards = sql<boolean>`(${sql.join(onBoards, sql` OR `)})`
  return {
    condition: sql`(id IN (${byText}) OR ${isOnBoards})`,
    ids: sql`${byText} UNION ALL SELECT id FROM images
      WHERE deleted_at IS NULL AND kind IN (${sql.join(ALL_KINDS)}) AND ${isOnBoards}`,
    others: null,
    query,
    within: null,
    best: null,
  }
}

const queryOf = (words: readonly Word[]): RawBuilder<unknown> =>
  sql`${tsqueryOf({ and: words.map(({ image }) => image) })}::tsquery`

const idsByText = (query: RawBuilder<unknown>): Ids =>
  sql`SELECT image AS id FROM image_search WHERE words @@ ${query}`

/** Finds boards whose names match some of the words, grouped by the remaining words. */
const boardsByOpenWords = async (db: Db, words: readonly Word[]) => {
  const matched = new Map<number, Set<Word>>()
  for (const word of words) {
    const { rows } = await sql<{ board: number }>`
      SELECT board FROM board_search WHERE words @@ ${tsqueryOf(word.plain)}::tsquery`.execute(db)
    for (const { board } of rows) matched.set(board, (matched.get(board) ?? new Set()).add(word))
  }
  const groups = new Map<string, { boards: number[]; open: Word[] }>()
  for (const [board, byName] of matched) {
    const open = words.filter((word) => !byName.has(word))
    const key = open.map((word) => words.indexOf(word)).join()
    const group = groups.get(key) ?? { boards: [], open }
    group.boards.push(board)
    groups.set(key, group)
  }
  return groups.values()
}

/** Compares without the case of ASCII letters, as SQLite's LIKE does. */
const ignoringCase = (text: RawBuilder<unknown>) => sql`lower((${text})::text COLLATE "C")`

/** The characters of a `created_at`, which has at most four digits in a row. */
const DATE_LIKE = /^(?!.*\d{5})[\d\s:.%_-]+$/

const metadataLike = (pattern: string, escapeCharacter: string): Condition =>
  sql`EXISTS (SELECT 1 FROM image_metadata WHERE image = images.id AND
    ${ignoringCase(sql`coalesce(invokeai, normal)`)} LIKE ${ignoringCase(sql`${pattern}`)} ESCAPE ${escapeCharacter})`

/**
 * Finds the images whose metadata text or `created_at` contains a term. As in InvokeAI, `%` and `_` are wildcards, and
 * the case of ASCII letters is ignored.
 */
const isLike = (term: string): Condition => {
  const pattern = `%${term}%`
  const inMetadata = metadataLike(pattern, '')
  if (!DATE_LIKE.test(term)) return inMetadata
  return sql`(${inMetadata} OR to_char(to_timestamp(created_at / 1000.0) AT TIME ZONE 'UTC',
    'YYYY-MM-DD HH24:MI:SS.MS') LIKE ${pattern} ESCAPE '')`
}

/** Finds the images whose metadata text or file name contains each of these texts. Reads the text of every image. */
const containsAll = (texts: readonly string[]): Condition => {
  const isContained = texts.map((text) => {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
    return sql`(${metadataLike(pattern, '\\')} OR
      ${ignoringCase(sql`file_name`)} LIKE ${ignoringCase(sql`${pattern}`)} ESCAPE '\\')`
  })
  return sql`${sql.join(isContained, sql` AND `)}`
}
