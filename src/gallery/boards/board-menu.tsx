import { Archive, ArchiveRestore, Ellipsis, PencilLine, Trash2 } from 'lucide-react'
import { useAccount } from '#gallery/api/account.ts'
import type { Board } from '#gallery/api/board-queries.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#gallery/ui/menu.tsx'
import { archiveBoard, showBoardTo } from './board-changes.ts'
import { deleteAsked, renameAsked } from './board-list-store.ts'

/** Who of an InvokeAI's accounts sees a board (wire 7). */
const visibilities = [
  { value: 'private', label: 'Only me' },
  { value: 'shared', label: 'Everyone' },
  { value: 'public', label: 'Everyone (can add)' },
] as const

/** What can be done with a board. */
export function BoardMenu({ board }: { board: Board }) {
  const account = useAccount()
  if (account !== null && !account.is_admin && account.user_id !== board.user_id) return null
  return (
    <Menu
      align="start"
      trigger={
        <IconButton
          label={`Options for ${board.board_name}`}
          icon={Ellipsis}
          tabIndex={-1}
          className="pointer-fine:opacity-0 pointer-fine:group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100 pointer-fine:data-popup-open:opacity-100"
        />
      }
    >
      <MenuItem icon={PencilLine} onSelect={() => renameAsked(board.board_id)}>
        Rename
      </MenuItem>
      {board.archived ? (
        <MenuItem icon={ArchiveRestore} onSelect={() => archiveBoard(board, false)}>
          Unarchive
        </MenuItem>
      ) : (
        <MenuItem icon={Archive} onSelect={() => archiveBoard(board)}>
          Archive
        </MenuItem>
      )}
      {account !== null && (
        <>
          <MenuSeparator />
          <MenuChoice
            label="Visibility"
            value={board.board_visibility}
            options={visibilities}
            onChoose={(visibility) => showBoardTo(board, visibility)}
          />
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={Trash2} tone="danger" onSelect={() => deleteAsked(board)}>
        Delete board…
      </MenuItem>
    </Menu>
  )
}
