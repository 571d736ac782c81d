import { type RawBuilder, sql } from 'kysely'
import type { View } from '#server/core/images/image-ports.ts'
import { getViewedBoardKey } from '#server/storage/sql/boards/read-boards.ts'
import { codeOfCategory, codeOfOrigin } from '#server/storage/sql/codes.ts'
import type { Db, Flag } from '#server/storage/sql/tables.ts'
import { starOf } from './order.ts'

/** The rows of a view, apart from its search. */
export interface Selection {
  /** null: every board. */
  board: number | null
  kinds: readonly Flag[]
  /** null: every category. */
  categories: readonly number[] | null
  /** null: both. */
  origin: number | null
  /** null: both. */
  starred: Flag | null
}

/** All images outside the trash. */
export const everything: Selection = {
  board: null,
  kinds: [0, 1],
  categories: null,
  origin: null,
  starred: null,
}

/** null: the view names a missing board. */
export const selectionOf = async (db: Db, view: View): Promise<Selection | null> => {
  const board = view.boardId === undefined ? null : await getViewedBoardKey(db, view.boardId)
  if (board === null && view.boardId !== undefined) return null
  return {
    board,
    kinds: view.isIntermediate === undefined ? [0, 1] : [view.isIntermediate ? 1 : 0],
    categories: view.categories?.length ? [...new Set(view.categories.map(codeOfCategory))] : null,
    origin: view.imageOrigin === undefined ? null : codeOfOrigin(view.imageOrigin),
    starred: starOf(view),
  }
}

/** Returns true if the selection skips rows of its index. Stars do not: an index has them first (`orderOf`). */
export const isFiltered = ({ categories, origin }: Selection): boolean =>
  categories !== null || origin !== null

/** Returns the conditions of a selection on a table with its columns, except `is_intermediate`. */
export const conditionsOf = ({
  board,
  categories,
  origin,
  starred,
}: Selection): RawBuilder<boolean>[] => [
  ...(board === null ? [] : [sql<boolean>`board = ${board}`]),
  ...(categories === null ? [] : [sql<boolean>`category IN (${sql.join(categories)})`]),
  ...(origin === null ? [] : [sql<boolean>`origin = ${origin}`]),
  ...(starred === null ? [] : [sql<boolean>`starred = ${starred}`]),
]

/** Rows of a selection and the bytes of their files, by kind and star. No count is 0. */
export interface Count {
  is_intermediate: Flag
  starred: Flag
  n: number
  bytes: number
}

/** Counts from the stored counters, at the same cost for any number of images. */
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
