import { type RawBuilder, sql } from 'kysely'
import { each } from '#server/storage/sqlite/images/named-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { parseQuery } from './parse-query.ts'

type Ids = RawBuilder<{ id: number }>

/**
 * Ids of images that match every word of a query, by a word of their own or by the name of their board.
 * null: the query has no word that could be found.
 */
export const idsMatching = async (db: Db, query: string): Promise<Ids | null> => {
  const words = parseQuery(query)
  if (words.length === 0) return null
  const groups = await boardsByOpenWords(db, words)
  const onBoards = [...groups].map(([open, boards]) => onBoardsMatching(boards, open))
  const parts = [matchingAll(words.join(' AND ')), ...onBoards]
  return parts.length === 1
    ? matchingAll(words.join(' AND '))
    : sql`SELECT id FROM (${sql.join(parts, sql` UNION `)})`
}

const matchingAll = (expression: string): Ids =>
  sql`SELECT rowid AS id FROM images_fts WHERE images_fts MATCH ${expression}`

/** Images on boards whose names answer some words already; `open` is what is left to match, maybe nothing. */
const onBoardsMatching = (boards: readonly number[], open: string): Ids => {
  const onBoards = sql<{ id: number }>`
    SELECT id FROM images INDEXED BY board_created
    WHERE is_intermediate IN (0, 1) AND board IN ${each(boards)} AND deleted_at IS NULL`
  return open === '' ? onBoards : sql`${onBoards} AND +id IN (${matchingAll(open)})`
}

/** The boards whose names match a word, by the words that their names leave open. */
const boardsByOpenWords = async (db: Db, words: readonly string[]) => {
  const answered = new Map<number, Set<string>>()
  for (const word of words)
    for (const board of await boardsMatching(db, word))
      answered.set(board, (answered.get(board) ?? new Set()).add(word))

  const groups = new Map<string, number[]>()
  for (const [board, byName] of answered) {
    const open = words.filter((word) => !byName.has(word)).join(' AND ')
    groups.set(open, [...(groups.get(open) ?? []), board])
  }
  return groups
}

const boardsMatching = async (db: Db, word: string): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    SELECT rowid AS id FROM boards_fts WHERE boards_fts MATCH ${word}`.execute(db)
  return rows.map(({ id }) => id)
}
