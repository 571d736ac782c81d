import type { Board } from '#gallery/api/boards/board-queries.ts'
import { createBoard } from '#gallery/api/boards/create-board.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toasts/toast.ts'

/** Makes a board, and says so with Retry when that fails; null then. */
export async function makeBoard(boardName: string): Promise<Board | null> {
  try {
    return await createBoard(boardName)
  } catch (error) {
    const detail = error instanceof Error && 'detail' in error ? String(error.detail) : undefined
    showToast({
      tone: 'danger',
      title: `“${isolated(boardName)}” could not be created`,
      description: detail ?? 'The server did not answer.',
      action: { label: 'Retry', run: () => void makeBoard(boardName) },
      durationMs: Number.POSITIVE_INFINITY,
    })
    return null
  }
}
