import type { BoardChanges } from '#client/index.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { type Board, boardCache, boardQueries } from './board-queries.ts'

/**
 * Changes the archived state or visibility of a board optimistically. Rolls the update back if the server refuses.
 *
 * @throws {RefusedError | ConnectionError} Nothing was changed.
 */
export async function changeBoard(
  { board_id }: Board,
  changes: Pick<BoardChanges, 'archived' | 'board_visibility'>,
): Promise<void> {
  const changed = (board: Board): Board =>
    board.board_id === board_id ? ({ ...board, ...changes } as Board) : board
  const edit = boardCache.edit({ boards: (boards) => boards.map(changed) })
  try {
    await theGallery.client.boardOperations.update(board_id, changes)
    edit.settle()
    theGallery.tabs.notify()
  } catch (error) {
    edit()
    throw error
  } finally {
    void theGallery.queryClient.invalidateQueries({ queryKey: boardQueries.all() })
  }
}
