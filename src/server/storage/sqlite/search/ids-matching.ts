import { type RawBuilder, sql } from 'kysely'
import { each } from '#server/storage/sqlite/images/named-images.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import type { Word } from './parse-query.ts'

type Ids = RawBuilder<{ id: number }>

/** IDs of the images that match every word, by their own text or by the name of their board. */
export const idsMatching = async (db: Db, words: readonly Word[]): Promise<Ids> => {
  const groups = await boardsByOpenWords(db, words)
  const onBoards = [...groups].map(([open, boards]) => onBoardsMatching(boards, open))
  const parts = [matchingAll(joined(words)), ...onBoards]
  return parts.length === 1
    ? matchingAll(joined(words))
    : sql`SELECT id FROM (${sql.join(parts, sql` UNION `)})`
}

const joined = (words: readonly Word[]): string => words.map(({ image }) => image).join(' AND ')

const matchingAll = (expression: string): Ids =>
  sql`SELECT rowid AS id FROM images_fts WHERE images_fts MATCH ${expression}`

/** Images on boards whose names match some words. `open` is the expression of the other words, or empty. */
const onBoardsMatching = (boards: readonly number[], open: string): Ids => {
  const onBoards = sql<{ id: number }>`
    SELECT id FROM images INDEXED BY board_created
    WHERE is_intermediate IN (0, 1) AND board IN ${each(boards)} AND deleted_at IS NULL`
  return open === '' ? onBoards : sql`${onBoards} AND +id IN (${matchingAll(open)})`
}

/** The boards whose names match some of the words, by the expression of the other words. */
const boardsByOpenWords = async (db: Db, words: readonly Word[]) => {
  const matched = new Map<number, Set<Word>>()
  for (const word of words)
    for (const board of await boardsMatching(db, word.plain))
      matched.set(board, (matched.get(board) ?? new Set()).add(word))

  const groups = new Map<string, number[]>()
  for (const [board, byName] of matched) {
    const open = joined(words.filter((word) => !byName.has(word)))
    groups.set(open, [...(groups.get(open) ?? []), board])
  }
  return groups
}

const boardsMatching = async (db: Db, word: string): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    SELECT rowid AS id FROM boards_fts WHERE boards_fts MATCH ${word}`.execute(db)
  return rows.map(({ id }) => id)
}
