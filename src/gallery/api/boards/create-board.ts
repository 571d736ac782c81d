import type { Board } from '#client/index.ts'
import { uncategorizedBoard } from '#client/index.ts'
import { trashBoard } from '#gallery/api/outbox/outbox.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { boardKeys } from './board-cache.ts'
import { boardCache, boardQueries } from './board-queries.ts'

let boardsMade = 0

/** Returns true for a placeholder of a board that the server has not created yet. It has no ID to open it by. */
export const isBeingMade = ({ board_id }: Pick<Board, 'board_id'>): boolean =>
  board_id.startsWith('new:')

/** Returns the board with the name of a folder, or creates it. */
export async function boardOfFolder(folder: string): Promise<Board> {
  const boards = await theGallery.queryClient.ensureQueryData(boardQueries.list())
  const isSame = (board: Board) => board.board_name === folder && !board.archived
  return boards.find((board) => isSame(board) && !isBeingMade(board)) ?? createBoard(folder)
}

/**
 * Creates a board and shows a placeholder meanwhile. Undo moves the board to the trash.
 *
 * This change does not use the outbox, because the board has no ID for later changes until the server has answered.
 *
 * @throws {RefusedError | ConnectionError} The board was not created, and the placeholder is removed.
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
    shown = await theGallery.client.boardOperations.create(boardName)
  } catch (error) {
    takeBack()
    throw error
  }
  const made = shown
  theGallery.queryClient.setQueryData<readonly Board[]>(boardKeys.list(), (boards) =>
    boards?.map((board) => (board.board_id === placeholder.board_id ? made : board)),
  )
  takeBack.settle()
  void theGallery.queryClient.invalidateQueries({ queryKey: boardKeys.list() })
  theGallery.tabs.notify()
  theGallery.undo.push({ undo: () => void trashBoard(made, 'keep') })
  return made
}
