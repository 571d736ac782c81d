import { type Db, UNCATEGORIZED } from '#server/storage/sqlite/tables.ts'

/** The key of a board that is not in the trash, `none` included. null: no such board. */
export const getViewedBoardKey = async (db: Db, boardId: string): Promise<number | null> => {
  const row = await db
    .selectFrom('boards')
    .select('id')
    .where('board_id', '=', boardId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** The same of boards that a person made: `none` is no such board. */
export const getBoardKey = async (db: Db, boardId: string): Promise<number | null> => {
  const board = await getViewedBoardKey(db, boardId)
  return board === UNCATEGORIZED ? null : board
}

/** The id of a board that is there. */
export const boardIdOf = async (db: Db, board: number): Promise<string> => {
  const query = db.selectFrom('boards').select('board_id').where('id', '=', board)
  return (await query.executeTakeFirstOrThrow()).board_id
}
