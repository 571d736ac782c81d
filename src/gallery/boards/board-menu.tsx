import { Ellipsis } from 'lucide-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { canChangeBoard } from '#gallery/api/boards/board-access.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useAccount } from '#gallery/api/connection/account.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { IconButton } from '#gallery/ui/button.tsx'
import { ContextMenu } from '#gallery/ui/context-menu.tsx'
import { CommandItems, Menu, MenuChoice, MenuSeparator } from '#gallery/ui/menu.tsx'
import { type BoardMoves, boardCommands } from './board-commands.ts'
import type { BoardFiles } from './board-row.tsx'
import { GroupMenuItems } from './group-menu.tsx'

/** Visibility of a board for InvokeAI accounts. */
const visibilities = [
  { value: 'private', label: 'Only me' },
  { value: 'shared', label: 'Everyone' },
  { value: 'public', label: 'Everyone (can add)' },
] as const

interface BoardMenuProps {
  board: Board
  files: BoardFiles
  moves: () => BoardMoves | null
}

/** The "…" menu of a board's row. */
export function BoardMenu(props: BoardMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton
          label={`Options for ${props.board.board_name}`}
          icon={Ellipsis}
          tabIndex={-1}
          className="pointer-fine:opacity-0 pointer-fine:group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100 pointer-fine:data-popup-open:opacity-100"
        />
      }
    >
      <BoardMenuItems {...props} />
    </Menu>
  )
}

interface BoardContextMenuProps {
  boards: readonly Board[]
  isFolded: (path: string) => boolean
  files: BoardFiles
  movesOf: (board: Board) => BoardMoves | null
  /** The rows of the boards. */
  children: ReactNode
}

/** The context menu of the boards and groups in a list. */
export function BoardContextMenu(props: BoardContextMenuProps) {
  const { boards, isFolded, files, movesOf, children } = props
  const [{ boardId, path }, setTarget] = useState<{ boardId?: string; path?: string }>({})
  const board = boards.find(({ board_id }) => board_id === boardId)
  const open = ({ target }: MouseEvent): Element | null => {
    const row =
      target instanceof Element ? target.closest<HTMLElement>('[data-board], [data-group]') : null
    const { board: boardId, group: path } = row?.dataset ?? {}
    setTarget({ ...(boardId && { boardId }), ...(path && { path }) })
    return row
  }
  return (
    <ContextMenu
      label={board?.board_name ?? path ?? 'Board'}
      heading={<bdi>{board?.board_name ?? path}</bdi>}
      onOpen={open}
      opensByTouch
      area={children}
    >
      {board && <BoardMenuItems board={board} files={files} moves={() => movesOf(board)} />}
      {path && <GroupMenuItems path={path} isFolded={isFolded(path)} />}
    </ContextMenu>
  )
}

function BoardMenuItems({ board, files, moves }: BoardMenuProps) {
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
