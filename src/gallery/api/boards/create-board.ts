import type { Board } from '#client/index.ts'
import { uncategorizedBoard } from '#client/index.ts'
import { notifyOtherTabs } from '#gallery/api/connection/broadcast.ts'
import { gallery, queryClient } from '#gallery/api/connection/connection.ts'
import { trashBoard } from '#gallery/api/outbox/outbox.ts'
import { pushUndo } from '#gallery/api/outbox/undo.ts'
import { boardKeys } from './board-cache.ts'
import { boardCache, boardQueries } from './board-queries.ts'

let boardsMade = 0

/** Whether a board is shown that the server has not made yet: it has no id by which it could be opened. */
export const isBeingMade = ({ board_id }: Pick<Board, 'board_id'>): boolean =>
  board_id.startsWith('new:')

/** The board for a folder of files: the one with its name, or a new one. */
export async function boardOfFolder(folder: string): Promise<Board> {
  const boards = await queryClient.ensureQueryData(boardQueries.list())
  const isSame = (board: Board) => board.board_name === folder && !board.archived
  return boards.find((board) => isSame(board) && !isBeingMade(board)) ?? createBoard(folder)
}

/**
 * Makes a board. It is shown at once; Undo moves it to the trash.
 *
 * This alone does not go through the outbox: until the server has answered, the board has no id that
 * anything else could be sent to.
 *
 * @throws {RefusedError | ConnectionError} It was not made, and is not shown any more.
 */
export async function createBoard(boardName: string): Promise<Board> {
  boardsMade += 1
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '')
  const placeholder: Board = {
    ...uncategorizedBoard(),
    board_id: `new:${boardsMade}`,
    board_name: boardName,
    created_at: now,
  }
  let shown: Board = placeholder
  const takeBack = boardCache.edit({
    boards: (boards) =>
      boards.some(({ board_id }) => board_id === shown.board_id) ? boards : [shown, ...boards],
  })
  try {
    shown = await gallery.boardOperations.create(boardName)
  } catch (error) {
    takeBack()
    throw error
  }
  const made = shown
  queryClient.setQueryData<readonly Board[]>(boardKeys.list(), (boards) =>
    boards?.map((board) => (board.board_id === placeholder.board_id ? made : board)),
  )
  takeBack.settle()
  void queryClient.invalidateQueries({ queryKey: boardKeys.list() })
  notifyOtherTabs()
  pushUndo({ undo: () => void trashBoard(made, 'keep') })
  return made
}
