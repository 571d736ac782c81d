import { type RawBuilder, sql } from 'kysely'
import type { ImageFilter } from '#contract/image-filter.ts'
import type { View } from '#server/core/images/image-ports.ts'
import { getViewedBoardKey } from '#server/storage/sql/boards/read-boards.ts'
import {
  ALL_KINDS,
  codeOfCategory,
  codeOfOrigin,
  IMAGE_KINDS,
  isIntermediateKind,
  isVideoKind,
  VIDEO_KINDS,
} from '#server/storage/sql/codes.ts'
import type { Db, Flag, Kind } from '#server/storage/sql/tables.ts'
import { starOf } from './order.ts'

/** The rows of a view, apart from its search. */
export interface Selection {
  /** null: every board. */
  board: number | null
  kinds: readonly Kind[]
  /** null: every category. */
  categories: readonly number[] | null
  /** null: both. */
  origin: number | null
  /** null: both. */
  starred: Flag | null
  /** Only videos of these durations. null: videos of any duration, and images. */
  durations: Durations | null
}

/** Durations in milliseconds, from `min` up to but not including `max`. */
export interface Durations {
  min: number
  max: number
}

/** All items outside the trash. */
export const everything: Selection = {
  board: null,
  kinds: ALL_KINDS,
  categories: null,
  origin: null,
  starred: null,
  durations: null,
}

/** null: the view is empty, because it names a missing board or has durations of images. */
export const selectionOf = async (db: Db, view: View): Promise<Selection | null> => {
  const board = view.boardId === undefined ? null : await getViewedBoardKey(db, view.boardId)
  if (board === null && view.boardId !== undefined) return null
  const durations = durationsOf(view)
  const kinds = durations === null ? kindsOf(view) : kindsOf(view).filter(isVideoKind)
  if (kinds.length === 0) return null
  return {
    board,
    kinds,
    categories: view.categories?.length ? [...new Set(view.categories.map(codeOfCategory))] : null,
    origin: view.imageOrigin === undefined ? null : codeOfOrigin(view.imageOrigin),
    starred: starOf(view),
    durations,
  }
}

const durationsOf = ({ minDurationMs, maxDurationMs }: View): Durations | null =>
  minDurationMs === undefined && maxDurationMs === undefined
    ? null
    : { min: minDurationMs ?? 0, max: maxDurationMs ?? Number.MAX_SAFE_INTEGER }

/** Returns the stored kinds of the items that a view or the trash lists. */
export const kindsOf = ({
  kind: wanted = 'image',
  isIntermediate,
}: Pick<ImageFilter, 'kind' | 'isIntermediate'>): readonly Kind[] => {
  const kinds = { image: IMAGE_KINDS, video: VIDEO_KINDS, all: ALL_KINDS }[wanted]
  if (isIntermediate === undefined) return kinds
  return kinds.filter((kind) => isIntermediateKind(kind) === isIntermediate)
}

/**
 * The condition of the indexes of durations, literally, because SQLite uses them for no other. The plus keeps it from
 * reading both kinds and sorting.
 */
export const isVideo = sql<boolean>`+kind IN (2, 3)`

/** Returns a condition for the videos of some durations. */
export const lastsWithin = ({ min, max }: Durations): RawBuilder<boolean> =>
  sql`${isVideo} AND duration >= ${min} AND duration < ${max}`

/** Returns true if the selection skips rows of its index. Stars do not: an index has them first (`orderOf`). */
export const isFiltered = ({ categories, origin }: Selection): boolean =>
  categories !== null || origin !== null

/** Returns the conditions of a selection on a table with its columns, except `kind` and `duration`. */
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
  kind: Kind
  starred: Flag
  n: number
  bytes: number
}

/** Counts from the stored counters, at the same cost for any number of images. */
export const countSelection = async (db: Db, selection: Selection): Promise<Count[]> => {
  const conditions = [
    sql<boolean>`kind IN (${sql.join(selection.kinds)})`,
    ...conditionsOf(selection),
  ]
  const { rows } = await sql<Count>`
    SELECT kind, starred, sum(n) AS n, sum(bytes) AS bytes FROM image_counts
    WHERE ${sql.join(conditions, sql` AND `)}
    GROUP BY kind, starred HAVING sum(n) > 0`.execute(db)
  return rows
}

/** Leaves out kinds without rows, so that a list of both kinds is read like a list of images if there are no videos. */
export const withCountedKinds = (selection: Selection, counts: readonly Count[]): Selection => ({
  ...selection,
  kinds: selection.kinds.filter((kind) => counts.some((count) => count.kind === kind)),
})

export const totalOf = (counts: readonly Count[]): number =>
  counts.reduce((total, { n }) => total + n, 0)

export const bytesOf = (counts: readonly Count[]): number =>
  counts.reduce((total, { bytes }) => total + bytes, 0)

export const starredOf = (counts: readonly Count[]): number =>
  totalOf(counts.filter(({ starred }) => starred === 1))
