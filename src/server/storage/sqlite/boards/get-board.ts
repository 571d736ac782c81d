import type { Board } from '#contract/board.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { boardOf, selectBoards } from './select-boards.ts'

/** null: no such board outside the trash; `none` is none. */
export const getBoard = async (db: Db, boardId: string): Promise<Board | null> => {
  const row = await selectBoards(db)
    .where('boards.board_id', '=', boardId)
    .where('boards.deleted_at', 'is', null)
    .executeTakeFirst()
  return row === undefined ? null : boardOf(row)
}
