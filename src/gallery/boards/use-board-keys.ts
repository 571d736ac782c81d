import type { RefObject } from 'react'
import type { Board } from '#gallery/api/board-queries.ts'
import { useKeys } from '#gallery/ui/keys.ts'
import { deleteAsked, newBoardAsked, renameAsked } from './board-list-store.ts'

/** What keys do with the board that has the focus. */
export function useBoardKeys(nav: RefObject<HTMLElement | null>, boards: readonly Board[]): void {
  const boardOf = ({ target }: Pick<KeyboardEvent, 'target'>): Board | undefined => {
    if (!(target instanceof Element) || !nav.current?.contains(target)) return undefined
    const row = target.closest<HTMLElement>('[data-board]')
    return boards.find(({ board_id }) => board_id === row?.dataset.board)
  }
  const withBoard = (act: (board: Board) => void) => (event: KeyboardEvent) => {
    const board = boardOf(event)
    if (board !== undefined) act(board)
  }

  useKeys(
    'Boards',
    [
      { keys: 'F2', label: 'Rename', run: withBoard(({ board_id }) => renameAsked(board_id)) },
      { keys: 'Delete', label: 'Delete the board', run: withBoard(deleteAsked) },
    ],
    { within: () => nav.current, when: (event) => boardOf(event) !== undefined },
  )
  useKeys('Boards', [{ keys: 'Shift+n', label: 'New board', run: newBoardAsked }])
}
