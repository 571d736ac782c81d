import { Ellipsis, PencilLine, Trash2 } from 'lucide-react'
import type { Board } from '#gallery/api/board-queries.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Menu, MenuItem } from '#gallery/ui/menu.tsx'
import { deleteAsked, renameAsked } from './board-list-store.ts'

/** What can be done with a board. */
export function BoardMenu({ board }: { board: Board }) {
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
      <MenuItem icon={Trash2} tone="danger" onSelect={() => deleteAsked(board)}>
        Delete board…
      </MenuItem>
    </Menu>
  )
}
