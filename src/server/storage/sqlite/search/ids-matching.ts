import { sql } from 'kysely'
import { IdSet, type Ids, readIds } from '#server/storage/sqlite/cache/id-set.ts'
import type { IdRange } from '#server/storage/sqlite/cache/read-cache.ts'
import { each } from '#server/storage/sqlite/images/named-images.ts'
import type { Reading } from '#server/storage/sqlite/reading.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { inRange } from './ids-like.ts'
import type { Word } from './parse-query.ts'

/** The images that match every word, by their own text or by the name of their board. */
export const imagesMatching = async (reading: Reading, words: readonly Word[]): Promise<IdSet> => {
  const byText = await matchesOf(reading, joined(words))
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

const joined = (words: readonly Word[]): string => words.map(({ image }) => image).join(' AND ')

const matchesOf = ({ db, cache }: Reading, expression: string): Promise<IdSet> =>
  cache.matches(db, `words ${expression}`, (range) => matching(expression, range))

const matching = (expression: string, range: IdRange | null): Ids =>
  sql`SELECT rowid AS id FROM images_fts
    WHERE images_fts MATCH ${expression} AND ${inRange('rowid', range)}`

const idsOnBoards = async (
  { db, cache }: Reading,
  boards: readonly number[],
): Promise<Uint32Array> => {
  const table = await cache.loadedTable(db)
  if (table !== null) return table.idsOn(boards)
  return readIds(
    db,
    sql`SELECT id FROM images INDEXED BY board_created
      WHERE is_intermediate IN (0, 1) AND board IN ${each(boards)} AND deleted_at IS NULL`,
  )
}

/** The boards whose names match some of the words, by the expression of the other words. */
const boardsByOpenWords = async (
  db: Db,
  words: readonly Word[],
): Promise<ReadonlyMap<string, number[]>> => {
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
