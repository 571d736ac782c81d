import type { RefObject } from 'react'
import { canChangeBoard } from '#gallery/api/boards/board-access.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type BoardTreeRow, groupKeyOf } from '#gallery/boards/order/board-tree.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { openContextMenu } from '#gallery/ui/popups/context-menu.tsx'
import { currentPlace } from '#gallery/url/use-place.ts'
import { type BoardMoves, boardCommands } from './board-commands.ts'
import type { BoardFiles } from './board-files.ts'
import { setGroupFolded } from './board-list-store.ts'
import { groupCommands } from './group-commands.ts'
import { useBoards } from './use-boards.ts'

/** Registers the shortcuts of the focused board: those of its commands, and one that opens its menu. */
export function useBoardKeys(
  nav: RefObject<HTMLElement | null>,
  boards: readonly Board[],
  files: BoardFiles,
  movesOf: (board: Board) => BoardMoves | null,
): void {
  const api = useGallery()
  const boardOf = ({ target }: { target: EventTarget | null }): Board | undefined => {
    if (!(target instanceof Element) || !nav.current?.contains(target)) return undefined
    const row = target.closest<HTMLElement>('[data-board]')
    return boards.find(({ board_id }) => board_id === row?.dataset.board)
  }
  const commandsOf = (board: Board) =>
    boardCommands(api, board, {
      canChange: canChangeBoard(api, board),
      files,
      moves: movesOf(board),
    })
  /** Returns the board that the palette acts on: the focused one, else the open one. */
  const boardForPalette = () =>
    boardOf({ target: document.activeElement }) ??
    boards.find(({ board_id }) => board_id === currentPlace().board)
  // All boards have the same commands.
  const [anyBoard] = boards
  const ofFocused = (anyBoard ? commandsOf(anyBoard) : []).map((command): Command => {
    const run = (event?: KeyboardEvent) => {
      const board = event && boardOf(event)
      if (board)
        commandsOf(board)
          .find(({ id }) => id === command.id)
          ?.run()
    }
    return { ...command, run }
  })

  useCommands('Boards', ofFocused, {
    within: () => nav.current,
    when: (event) => boardOf(event) !== undefined,
    now: () => {
      const board = boardForPalette()
      return board
        ? commandsOf(board).map((command) => ({ ...command, about: board.board_name }))
        : []
    },
  })
  useCommands(
    'Boards',
    [
      {
        id: 'board.menu',
        isKeyOnly: true,
        keys: 'ArrowRight',
        label: 'Options',
        run: (event) => event && openContextMenu(event.target),
      },
    ],
    { within: () => nav.current, when: (event) => boardOf(event) !== undefined },
  )
}

const foldKey = {
  id: 'group.fold',
  isKeyOnly: true,
  keys: 'ArrowLeft',
  label: 'Fold the group, or go to it',
}
const unfoldKey = {
  id: 'group.unfold',
  isKeyOnly: true,
  keys: 'ArrowRight',
  label: 'Unfold the group, or enter it',
}

/** Registers the shortcuts of the focused group: the arrow keys that fold it, as in other trees, and its commands. */
export function useGroupKeys(
  nav: RefObject<HTMLElement | null>,
  rows: readonly BoardTreeRow[],
  focus: (key: string) => void,
): void {
  const api = useGallery()
  const boards = useBoards() ?? []
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
  const rowAt = (event: Pick<KeyboardEvent, 'target'>) => rows[indexOf(event)]
  const commandsOf = (row: BoardTreeRow | undefined): Command[] =>
    row?.kind === 'group'
      ? groupCommands(api, { path: row.path, boards, isFolded: row.isFolded })
      : []
  const anyGroup = rows.find(({ kind }) => kind === 'group')
  const ofFocused = commandsOf(anyGroup).map((command): Command => {
    const run = (event?: KeyboardEvent) => {
      const commands = event ? commandsOf(rowAt(event)) : []
      commands.find(({ id }) => id === command.id)?.run()
    }
    return { ...command, run }
  })
  const within = () => nav.current
  useCommands('Boards', ofFocused, {
    within,
    when: (event) => rowAt(event)?.kind === 'group',
    now: () => {
      const row = rowAt({ target: document.activeElement })
      return row?.kind === 'group'
        ? commandsOf(row).map((command) => ({ ...command, about: row.path }))
        : []
    },
  })
  useCommands('Boards', [{ ...foldKey, run: (event) => event && close(event) }], {
    within,
    when: (event) => rowAt(event) !== undefined,
  })
  // On a board, this key opens its menu.
  useCommands('Boards', [{ ...unfoldKey, run: (event) => event && open(event) }], {
    within,
    when: (event) => rowAt(event)?.kind === 'group',
  })
}
