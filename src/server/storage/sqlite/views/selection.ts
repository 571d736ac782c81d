import { type RawBuilder, sql } from 'kysely'
import type { View } from '#server/core/images/image-ports.ts'
import { getViewedBoardKey } from '#server/storage/sqlite/boards/read-boards.ts'
import { codeOfCategory, codeOfOrigin } from '#server/storage/sqlite/codes.ts'
import type { Db, Flag } from '#server/storage/sqlite/tables.ts'

/** Which rows a view holds, search aside. */
export interface Selection {
  /** null: every board. */
  board: number | null
  /** Which values of is_intermediate. */
  kinds: readonly Flag[]
  /** null: every category. */
  categories: readonly number[] | null
  /** null: both. */
  origin: number | null
}

/** null: the view names a board that is not there. */
export const selectionOf = async (db: Db, view: View): Promise<Selection | null> => {
  const board = view.boardId === undefined ? null : await getViewedBoardKey(db, view.boardId)
  if (board === null && view.boardId !== undefined) return null
  return {
    board,
    kinds: view.isIntermediate === undefined ? [0, 1] : [view.isIntermediate ? 1 : 0],
    categories: view.categories?.length ? [...new Set(view.categories.map(codeOfCategory))] : null,
    origin: view.imageOrigin === undefined ? null : codeOfOrigin(view.imageOrigin),
  }
}

/** Whether it leaves rows out that stand in its index. */
export const isFiltered = ({ categories, origin }: Selection): boolean =>
  categories !== null || origin !== null

/** A selection's conditions on a table that has its columns. `is_intermediate` is left to the caller. */
export const conditionsOf = ({ board, categories, origin }: Selection): RawBuilder<boolean>[] => [
  ...(board === null ? [] : [sql<boolean>`board = ${board}`]),
  ...(categories === null ? [] : [sql<boolean>`category IN (${sql.join(categories)})`]),
  ...(origin === null ? [] : [sql<boolean>`origin = ${origin}`]),
]

/** How many rows a selection holds, and how many bytes their files have, by kind and star. What is not there, is not listed. */
export interface Count {
  is_intermediate: Flag
  starred: Flag
  n: number
  bytes: number
}

/** Counts from the kept counters: it costs the same for any number of images. */
export const countSelection = async (db: Db, selection: Selection): Promise<Count[]> => {
  const conditions = [
    sql<boolean>`is_intermediate IN (${sql.join(selection.kinds)})`,
    ...conditionsOf(selection),
  ]
  const { rows } = await sql<Count>`
    SELECT is_intermediate, starred, sum(n) AS n, sum(bytes) AS bytes FROM image_counts
    WHERE ${sql.join(conditions, sql` AND `)}
    GROUP BY is_intermediate, starred HAVING sum(n) > 0`.execute(db)
  return rows
}

export const totalOf = (counts: readonly Count[]): number =>
  counts.reduce((total, { n }) => total + n, 0)

export const bytesOf = (counts: readonly Count[]): number =>
  counts.reduce((total, { bytes }) => total + bytes, 0)

export const starredOf = (counts: readonly Count[]): number =>
  totalOf(counts.filter(({ starred }) => starred === 1))
