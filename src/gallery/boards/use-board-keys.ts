import type { RefObject } from 'react'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useAccount } from '#gallery/api/connection/account.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type KeyBinding, useKeys } from '#gallery/ui/keys/keys.ts'
import { openContextMenu } from '#gallery/ui/menu.tsx'
import { boardCommands } from './board-commands.ts'
import { startNewBoard } from './board-list-store.ts'
import { isOwn } from './board-menu.tsx'
import type { BoardFiles } from './board-row.tsx'

/** Registers the shortcuts of the focused board: those of its commands, and one that opens its menu. */
export function useBoardKeys(
  nav: RefObject<HTMLElement | null>,
  boards: readonly Board[],
  files: BoardFiles,
): void {
  const api = useGallery()
  const account = useAccount()
  const boardOf = ({ target }: Pick<KeyboardEvent, 'target'>): Board | undefined => {
    if (!(target instanceof Element) || !nav.current?.contains(target)) return undefined
    const row = target.closest<HTMLElement>('[data-board]')
    return boards.find(({ board_id }) => board_id === row?.dataset.board)
  }
  const commandsOf = (board: Board) =>
    boardCommands(api, board, { canChange: isOwn(board, account), files })
  const runFor = (commandId: string, event: KeyboardEvent) => {
    const board = boardOf(event)
    const command = board && commandsOf(board).find(({ id }) => id === commandId)
    command?.run()
  }
  // All boards have the same shortcuts.
  const [anyBoard] = boards
  const bindings = (anyBoard ? commandsOf(anyBoard) : []).flatMap((command): KeyBinding[] => {
    const { id, keys, areKeysNative, keyLabel, label } = command
    if (keys === undefined || areKeysNative) return []
    return [{ keys, label: keyLabel ?? label, run: (event) => runFor(id, event) }]
  })

  // First, because the others are not registered until there is a board, and the list shows them in this order.
  useKeys('Boards', [{ keys: 'Shift+n', label: 'New board', run: startNewBoard }])
  useKeys(
    'Boards',
    [
      ...bindings,
      { keys: 'ArrowRight', label: 'Options', run: ({ target }) => openContextMenu(target) },
    ],
    {
      within: () => nav.current,
      when: (event) => boardOf(event) !== undefined,
    },
  )
}
