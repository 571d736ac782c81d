import { randomUUID } from 'node:crypto'
import type { Board, BoardVisibility } from '#contract/board.ts'
import { splitCjk } from '#server/storage/sqlite/search/split-words.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { getBoard } from './get-board.ts'

/** Creates a board, with a new id unless one is given. Names may be empty and may repeat (wire 1). */
export const createBoard = async (
  db: Db,
  now: number,
  board: { board_name: string; board_visibility: BoardVisibility; board_id?: string },
): Promise<Board> => {
  const { board_id = randomUUID() } = board
  const { id } = await db
    .insertInto('boards')
    .values({ ...board, board_id, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await indexBoardName(db, id, board.board_name)
  const created = await getBoard(db, board_id)
  if (created === null) throw new Error(`board ${board_id} is not there after its insert`)
  return created
}

/** Makes a board's name known to search, in place of an earlier one. */
export const indexBoardName = async (db: Db, id: number, boardName: string): Promise<void> => {
  await db.deleteFrom('boards_fts').where('rowid', '=', id).execute()
  await db
    .insertInto('boards_fts')
    .values({ rowid: id, board_name: splitCjk(boardName) })
    .execute()
}
