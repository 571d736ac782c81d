import type { RefObject } from 'react'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useAccount } from '#gallery/api/connection/account.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type KeyBinding, useKeys } from '#gallery/ui/keys/keys.ts'
import { openContextMenu } from '#gallery/ui/menu.tsx'
import { boardCommands } from './board-commands.ts'
import { setGroupFolded, startNewBoard } from './board-list-store.ts'
import { isOwn } from './board-menu.tsx'
import type { BoardFiles } from './board-row.tsx'
import { type BoardTreeRow, groupKeyOf } from './board-tree.ts'

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
  useKeys('Boards', [{ keys: 'Shift+n', label: 'New board', run: () => startNewBoard() }])
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

/** Registers the arrow keys that fold groups, as in other trees. */
export function useGroupKeys(
  nav: RefObject<HTMLElement | null>,
  rows: readonly BoardTreeRow[],
  focus: (key: string) => void,
): void {
  const indexOf = ({ target }: Pick<KeyboardEvent, 'target'>): number => {
    if (!(target instanceof Element) || !nav.current?.contains(target)) return -1
    const { board, group } =
      target.closest<HTMLElement>('[data-board], [data-group]')?.dataset ?? {}
    return rows.findIndex(({ key }) => key === (group === undefined ? board : groupKeyOf(group)))
  }
  const close = (event: KeyboardEvent) => {
    const index = indexOf(event)
    const row = rows[index]
    if (row?.kind === 'group' && !row.isFolded) return setGroupFolded(row.path, true)
    const parent = rows.slice(0, index).findLast(({ depth }) => depth < (row?.depth ?? 0))
    if (parent) focus(parent.key)
  }
  const open = (event: KeyboardEvent) => {
    const index = indexOf(event)
    const row = rows[index]
    const first = rows[index + 1]
    if (row?.kind !== 'group') return
    if (row.isFolded) setGroupFolded(row.path, false)
    else if (first) focus(first.key)
  }
  const rowAt = (event: KeyboardEvent) => rows[indexOf(event)]
  const within = () => nav.current
  useKeys('Boards', [{ keys: 'ArrowLeft', label: 'Fold the group, or go to it', run: close }], {
    within,
    when: (event) => rowAt(event) !== undefined,
  })
  // On a board, this key opens its menu.
  useKeys('Boards', [{ keys: 'ArrowRight', label: 'Unfold the group, or enter it', run: open }], {
    within,
    when: (event) => rowAt(event)?.kind === 'group',
  })
}
