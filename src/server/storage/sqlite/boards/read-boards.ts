import { sql } from 'kysely'
import type { BoardRecords } from '#server/core/record-ports.ts'
import { boundList } from '#server/storage/sqlite/images/named-images.ts'
import { type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'
import type { Read } from '#server/storage/sqlite/unit-types.ts'
import { boardOf, selectBoards } from './select-boards.ts'

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
  const key = orderBy === 'board_name' ? sql`board_name COLLATE NOCASE` : sql`created_at`
  return selectBoards(db)
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
  const row = await selectBoards(db)
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
    .where('board_id', 'in', boundList(boardIds))
    .execute()

export const boardIdOf = async (db: Db, board: number): Promise<string> => {
  const query = db.selectFrom('boards').select('board_id').where('id', '=', board)
  return (await query.executeTakeFirstOrThrow()).board_id
}
