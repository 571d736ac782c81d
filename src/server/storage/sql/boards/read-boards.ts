import { type Selectable, sql } from 'kysely'
import type { Board } from '#contract/board.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'
import { renderTimestamp } from '#server/core/clock.ts'
import type { BoardRecords } from '#server/core/record-ports.ts'
import { GENERAL, renderNullable } from '#server/storage/sql/codes.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import { type BoardsTable, type Db, type Kind, UNCATEGORIZED } from '#server/storage/sql/tables.ts'
import type { Read } from '#server/storage/sql/unit-types.ts'

/**
 * The chosen cover if it is still on the board. Only its name selects it: with more conditions, PostgreSQL without
 * statistics walks all images for each board.
 */
export const chosenCover = sql<string | null>`(
  SELECT CASE WHEN chosen.board = boards.id AND chosen.deleted_at IS NULL THEN chosen.image_name END
  FROM images AS chosen WHERE chosen.image_name = boards.cover_image_name)`

/**
 * The chosen cover, or else the first image by starred, then newest.
 *
 * A new database of PostgreSQL has no statistics, and all indexes of images seem equally cheap. It would walk one of
 * them for each board. A range with the order of `board` fits only `board_starred`, and `(SELECT 0)` excludes indexes
 * of images with the value 0.
 */
const cover = (db: Db) => sql<string | null>`coalesce(${chosenCover}, ${firstOnBoard(db, 0)})`

const firstOnBoard = (db: Db, kind: Kind) => sql<string | null>`
  (SELECT first.image_name FROM images AS first ${dialectOf(db).indexedBy('board_starred')}
    WHERE first.kind = (SELECT ${sql.lit(kind)}) AND first.board BETWEEN boards.id AND boards.id
      AND first.deleted_at IS NULL
    ORDER BY first.board, first.starred DESC, first.created_at DESC, first.id DESC LIMIT 1)`

const covers = (db: Db) => [cover(db).as('cover'), firstOnBoard(db, 2).as('video_cover')] as const

/** Selects boards, except the uncategorized one. */
export const selectBoards = (db: Db) =>
  db.selectFrom('boards').selectAll('boards').where('boards.id', '!=', UNCATEGORIZED)

const totals = {
  image_count: sql<number>`coalesce(sum(CASE WHEN kind = 0 THEN n END), 0)`,
  asset_count: sql<number>`coalesce(sum(CASE WHEN kind = 0 AND category != ${GENERAL} THEN n END), 0)`,
  video_count: sql<number>`coalesce(sum(CASE WHEN kind = 2 THEN n END), 0)`,
}

const itemCounts = (db: Db) =>
  db.selectFrom('image_counts').where('image_counts.kind', 'in', [0, 2])

type BoardRow = Selectable<BoardsTable> & {
  cover: string | null
  video_cover: string | null
  image_count: number
  asset_count: number
  video_count: number
}

const coversOf = ({ cover, video_cover }: BoardRow) => {
  if (cover === null) return { cover_image_name: null, cover_video_name: video_cover }
  return isVideoName(cover)
    ? { cover_image_name: null, cover_video_name: cover }
    : { cover_image_name: cover, cover_video_name: null }
}

export const boardOf = (row: BoardRow): Board => ({
  board_id: row.board_id,
  board_name: row.board_name,
  description: row.description,
  user_id: 'system',
  created_at: renderTimestamp(row.created_at),
  updated_at: renderTimestamp(row.updated_at),
  deleted_at: renderNullable(row.deleted_at),
  last_added_at: renderNullable(row.last_added_at),
  position: row.position,
  ...coversOf(row),
  chosen_cover_image_name: row.cover_image_name,
  archived: row.archived === 1,
  board_visibility: row.board_visibility,
  is_private: row.board_visibility === 'private',
  starred: row.starred === null ? null : row.starred === 1,
  image_count: row.image_count,
  video_count: row.video_count,
  asset_count: row.asset_count,
  owner_username: null,
})

type Options = Parameters<BoardRecords['list']>[0]

/** Owner of every board, because there are no accounts. Appears only in lists. */
const OWNER_USERNAME = 'System'

/** Lists boards outside the trash. `total` counts all matching boards, not only those of the page. */
export const listBoards: Read<'boards.list'> = async (db, options) => {
  const rows = await selectOrdered(db, options).execute()
  const items = rows.map((row) => ({ ...boardOf(row), owner_username: OWNER_USERNAME }))
  return { items, total: options.page === undefined ? items.length : await count(db, options) }
}

const selectOrdered = (db: Db, { orderBy, direction, includeArchived, page }: Options) => {
  const sortDirection = direction === 'ASC' ? 'asc' : 'desc'
  const key = orderBy === 'board_name' ? dialectOf(db).ignoringCase('board_name') : sql`created_at`
  // One pass over all counts. PostgreSQL would read the small table again for each board.
  const counts = itemCounts(db)
    .select(['board', totals.image_count.as('images'), totals.asset_count.as('assets')])
    .select([totals.video_count.as('videos')])
    .groupBy('board')
    .as('counts')
  return selectBoards(db)
    .leftJoin(counts, 'counts.board', 'boards.id')
    .select((eb) => [
      ...covers(db),
      eb.fn.coalesce('counts.images', sql<number>`0`).as('image_count'),
      eb.fn.coalesce('counts.assets', sql<number>`0`).as('asset_count'),
      eb.fn.coalesce('counts.videos', sql<number>`0`).as('video_count'),
    ])
    .where('boards.deleted_at', 'is', null)
    .$if(!includeArchived, (query) => query.where('boards.archived', '=', 0))
    .orderBy(key, sortDirection)
    .orderBy('boards.id', sortDirection)
    .$if(page !== undefined, (query) => query.limit(page?.limit ?? -1).offset(page?.offset ?? 0))
}

const count = async (db: Db, { includeArchived }: Options): Promise<number> => {
  const { total } = await db
    .selectFrom('boards')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('id', '!=', 0)
    .where('deleted_at', 'is', null)
    .$if(!includeArchived, (query) => query.where('archived', '=', 0))
    .executeTakeFirstOrThrow()
  return total
}

/** null: no such board outside the trash. `none` is not a board. */
export const getBoard: Read<'boards.get'> = async (db, boardId) => {
  const counts = itemCounts(db).where('image_counts.board', '=', sql.ref<number>('boards.id'))
  const row = await selectBoards(db)
    .select([
      ...covers(db),
      sql<number>`(${counts.select(totals.image_count.as('n'))})`.as('image_count'),
      sql<number>`(${counts.select(totals.asset_count.as('n'))})`.as('asset_count'),
      sql<number>`(${counts.select(totals.video_count.as('n'))})`.as('video_count'),
    ])
    .where('boards.board_id', '=', boardId)
    .where('boards.deleted_at', 'is', null)
    .executeTakeFirst()
  return row === undefined ? null : boardOf(row)
}

/** Returns the key of a board outside the trash, including `none`. null: no such board. */
export const getViewedBoardKey = async (db: Db, boardId: string): Promise<number | null> => {
  const row = await db
    .selectFrom('boards')
    .select('id')
    .where('board_id', '=', boardId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Like `getViewedBoardKey`, but excludes `none`. */
export const getBoardKey = async (db: Db, boardId: string): Promise<number | null> => {
  const board = await getViewedBoardKey(db, boardId)
  return board === UNCATEGORIZED ? null : board
}

/** Returns boards with these ids, including those in the trash. */
export const namedBoards = (db: Db, boardIds: readonly string[]) =>
  db
    .selectFrom('boards')
    .select(['id', 'board_id', 'deleted_at'])
    .where(isOneOf(db, 'board_id', boardIds))
    .execute()

export const boardIdOf = async (db: Db, board: number): Promise<string> => {
  const query = db.selectFrom('boards').select('board_id').where('id', '=', board)
  return (await query.executeTakeFirstOrThrow()).board_id
}
