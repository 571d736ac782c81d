import type { BoardVisibility } from '#contract/board.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { changeBoard } from '#gallery/api/boards/change-board.ts'
import { pushUndo } from '#gallery/api/outbox/undo.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toasts/toast.ts'

/** Puts a board away, or back among the others, and offers to take that back. */
export function archiveBoard(board: Board, archived = true): void {
  const forgetUndo = pushUndo({ undo: () => void change(board, { archived: !archived }) })
  void change(board, { archived }).then((isDone) => {
    if (!isDone) return forgetUndo()
    const undo = () => {
      forgetUndo()
      void change(board, { archived: !archived })
    }
    showToast({
      id: `archive:${board.board_id}`,
      title: `${archived ? 'Archived' : 'Unarchived'} “${isolated(board.board_name)}”`,
      action: { label: 'Undo', run: undo },
    })
  })
}

/** Says who of an InvokeAI's accounts sees a board. */
export function showBoardTo(board: Board, board_visibility: BoardVisibility): void {
  void change(board, { board_visibility })
}

async function change(...args: Parameters<typeof changeBoard>): Promise<boolean> {
  try {
    await changeBoard(...args)
    return true
  } catch (error) {
    const [{ board_name }] = args
    const title = `Couldn’t change ${isolated(board_name)}`
    showToast({ title, description: reasonOf(error), tone: 'danger' })
    return false
  }
}
