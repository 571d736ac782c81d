import { type MouseEvent, type ReactNode, useState } from 'react'
import { canChangeBoard } from '#gallery/api/boards/board-access.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useAccount } from '#gallery/api/connection/account.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { ContextMenu } from '#gallery/ui/popups/context-menu.tsx'
import {
  CommandItems,
  createSharedMenu,
  MenuChoice,
  MenuSeparator,
  SharedMenu,
  SharedMenuButton,
} from '#gallery/ui/popups/menu.tsx'
import { type BoardMoves, boardCommands } from './board-commands.ts'
import type { BoardFiles } from './board-files.ts'
import { GroupMenuItems } from './group-menu.tsx'
import { RowOptions } from './nav-row.tsx'

/** Visibility of a board for InvokeAI accounts. */
const visibilities = [
  { value: 'private', label: 'Only me' },
  { value: 'shared', label: 'Everyone' },
  { value: 'public', label: 'Everyone (can add)' },
] as const

/** The row of a menu: a board, or the path of a group. */
interface MenuRow {
  boardId?: string
  path?: string
}

const rowMenu = createSharedMenu<MenuRow>()

/** The "…" button of a row. It opens the menu that {@link BoardMenus} renders. */
export function RowMenuButton({ name, row }: { name: string; row: MenuRow }) {
  return <SharedMenuButton menu={rowMenu} row={row} trigger={<RowOptions name={name} />} />
}

interface BoardMenusProps {
  boards: readonly Board[]
  isFolded: (path: string) => boolean
  files: BoardFiles
  movesOf: (board: Board) => BoardMoves | null
  /** The rows of the boards. */
  children: ReactNode
}

/** The context menu and the "…" menu of the boards and groups in a list. */
export function BoardMenus({ boards, isFolded, files, movesOf, children }: BoardMenusProps) {
  const [target, setTarget] = useState<MenuRow>({})
  const boardOf = ({ boardId }: MenuRow) => boards.find(({ board_id }) => board_id === boardId)
  const board = boardOf(target)
  const { path } = target
  const open = ({ target }: MouseEvent): Element | null => {
    const row =
      target instanceof Element ? target.closest<HTMLElement>('[data-board], [data-group]') : null
    const { board: boardId, group: path } = row?.dataset ?? {}
    setTarget({ ...(boardId && { boardId }), ...(path && { path }) })
    return row
  }
  const itemsOf = (row: MenuRow) => {
    const board = boardOf(row)
    return (
      <>
        {board && <BoardMenuItems board={board} files={files} moves={() => movesOf(board)} />}
        {row.path && <GroupMenuItems path={row.path} isFolded={isFolded(row.path)} />}
      </>
    )
  }
  return (
    <>
      <ContextMenu
        label={board?.board_name ?? path ?? 'Board'}
        heading={<bdi>{board?.board_name ?? path}</bdi>}
        onOpen={open}
        opensByTouch
        area={children}
      >
        {itemsOf(target)}
      </ContextMenu>
      <SharedMenu menu={rowMenu}>{itemsOf}</SharedMenu>
    </>
  )
}

interface BoardMenuItemsProps {
  board: Board
  files: BoardFiles
  moves: () => BoardMoves | null
}

function BoardMenuItems({ board, files, moves }: BoardMenuItemsProps) {
  const api = useGallery()
  const account = useAccount()
  const canChange = canChangeBoard(api, board)
  return (
    <>
      <CommandItems commands={boardCommands(api, board, { canChange, files, moves: moves() })} />
      {account !== null && canChange && (
        <>
          <MenuSeparator />
          <MenuChoice
            label="Visibility"
            value={board.board_visibility}
            options={visibilities}
            onChoose={(visibility) =>
              void api.outbox.changeBoard(board, 'board_visibility', visibility)
            }
          />
        </>
      )}
    </>
  )
}
