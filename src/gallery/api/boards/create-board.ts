import type { QueryClient } from '@tanstack/react-query'
import { type Board, type TesseraClient, uncategorizedBoard } from '#client/index.ts'
import { type BoardCache, boardKeys } from './board-cache.ts'
import type { BoardQueries } from './board-queries.ts'

/** Returns true for a placeholder of a board that the server has not created yet. It has no ID to open it by. */
export const isBeingMade = ({ board_id }: Pick<Board, 'board_id'>): boolean =>
  board_id.startsWith('new:')

interface BoardsApi {
  readonly client: Pick<TesseraClient, 'boardOperations'>
  readonly queryClient: QueryClient
  readonly boardCache: Pick<BoardCache, 'edit' | 'nextPlaceholder'>
  readonly boardQueries: Pick<BoardQueries, 'list'>
  readonly tabs: { notify(): void }
  readonly outbox: { boardCreated(board: Board): void }
}

export async function boardOfFolder(api: BoardsApi, folder: string): Promise<Board> {
  const boards = await api.queryClient.ensureQueryData(api.boardQueries.list())
  const isSame = (board: Board) => board.board_name === folder && !board.archived
  return boards.find((board) => isSame(board) && !isBeingMade(board)) ?? createBoard(api, folder)
}

/**
 * Creates a board and shows a placeholder meanwhile. Undo deletes it if it has no images.
 *
 * This change does not use the outbox, because the board has no ID for later changes until the server has answered.
 *
 * @param onReplace - Called when the placeholder is replaced by the board, or removed (null).
 * @throws {RefusedError | ConnectionError} The board was not created, and the placeholder is removed.
 */
export async function createBoard(
  api: BoardsApi,
  boardName: string,
  onReplace: (placeholderId: string, board: Board | null) => void = () => {},
): Promise<Board> {
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '')
  const placeholder: Board = {
    ...uncategorizedBoard(),
    board_id: `new:${api.boardCache.nextPlaceholder()}`,
    board_name: boardName,
    created_at: now,
  }
  let shown: Board = placeholder
  const takeBack = api.boardCache.edit({
    boards: (boards) =>
      boards.some(({ board_id }) => board_id === shown.board_id) ? boards : [shown, ...boards],
  })
  try {
    shown = await api.client.boardOperations.create(boardName)
  } catch (error) {
    takeBack()
    onReplace(placeholder.board_id, null)
    throw error
  }
  const made = shown
  api.queryClient.setQueryData<readonly Board[]>(boardKeys.list(), (boards) =>
    boards?.map((board) => (board.board_id === placeholder.board_id ? made : board)),
  )
  takeBack.settle()
  onReplace(placeholder.board_id, made)
  void api.queryClient.invalidateQueries({ queryKey: boardKeys.list() })
  api.tabs.notify()
  api.outbox.boardCreated(made)
  return made
}
