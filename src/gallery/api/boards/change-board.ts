import type { BoardChanges } from '#client/index.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { boardKeys } from './board-cache.ts'
import type { Board } from './board-queries.ts'

/**
 * Changes the archived state or visibility of a board optimistically. Rolls the update back if the server refuses.
 *
 * @throws {RefusedError | ConnectionError} Nothing was changed.
 */
export async function changeBoard(
  api: GalleryApi,
  { board_id }: Board,
  changes: Pick<BoardChanges, 'archived' | 'board_visibility'>,
): Promise<void> {
  const changed = (board: Board): Board =>
    board.board_id === board_id ? ({ ...board, ...changes } as Board) : board
  const edit = api.boardCache.edit({ boards: (boards) => boards.map(changed) })
  try {
    await api.client.boardOperations.update(board_id, changes)
    edit.settle()
    api.tabs.notify()
  } catch (error) {
    edit()
    throw error
  } finally {
    void api.queryClient.invalidateQueries({ queryKey: boardKeys.all() })
  }
}
