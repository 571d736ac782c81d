import { type Selectable, sql } from 'kysely'
import type { Board } from '#contract/board.ts'
import { renderTimestamp } from '#server/core/clock.ts'
import { GENERAL, renderNullable } from '#server/storage/sqlite/codes.ts'
import { type BoardsTable, type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'

/** The chosen cover if it is still on the board. */
export const chosenCover = sql<string | null>`(
  SELECT chosen.image_name FROM images AS chosen
  WHERE chosen.image_name = boards.cover_image_name AND chosen.board = boards.id
    AND chosen.deleted_at IS NULL)`

/** The chosen cover, or else the first image by starred, then newest. */
const cover = sql<string | null>`coalesce(
  ${chosenCover},
  (SELECT first.image_name FROM images AS first INDEXED BY board_starred
    WHERE first.is_intermediate = 0 AND first.board = boards.id AND first.deleted_at IS NULL
    ORDER BY first.starred DESC, first.created_at DESC, first.id DESC LIMIT 1)
)`

const countWhere = (condition: ReturnType<typeof sql<boolean>>) =>
  sql<number>`(SELECT coalesce(sum(n), 0) FROM image_counts
    WHERE image_counts.board = boards.id AND image_counts.is_intermediate = 0 AND ${condition})`

/** Selects boards with their covers and counts, except the uncategorized one. */
export const selectBoards = (db: Db) =>
  db
    .selectFrom('boards')
    .selectAll('boards')
    .select([
      cover.as('cover'),
      countWhere(sql<boolean>`true`).as('image_count'),
      countWhere(sql<boolean>`image_counts.category != ${GENERAL}`).as('asset_count'),
    ])
    .where('boards.id', '!=', UNCATEGORIZED)

type BoardRow = Selectable<BoardsTable> & {
  cover: string | null
  image_count: number
  asset_count: number
}

export const boardOf = (row: BoardRow): Board => ({
  board_id: row.board_id,
  board_name: row.board_name,
  description: row.description,
  user_id: 'system',
  created_at: renderTimestamp(row.created_at),
  updated_at: renderTimestamp(row.updated_at),
  deleted_at: renderNullable(row.deleted_at),
  cover_image_name: row.cover,
  archived: row.archived === 1,
  board_visibility: row.board_visibility,
  is_private: row.board_visibility === 'private',
  starred: row.starred === null ? null : row.starred === 1,
  cover_video_name: null,
  image_count: row.image_count,
  video_count: 0,
  asset_count: row.asset_count,
  owner_username: null,
})
