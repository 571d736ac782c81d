import { Archive, Globe, Image, Pin, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import { canChangeBoard } from '#gallery/api/boards/board-access.ts'
import { type Board, coverUrl } from '#gallery/api/boards/board-queries.ts'
import { isBeingMade } from '#gallery/api/boards/create-board.ts'
import { useAccount } from '#gallery/api/connection/account.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { itemCountOf } from '#gallery/api/images/noun.ts'
import { useDragSource } from '#gallery/ui/drag/drag.ts'
import { useDropTarget } from '#gallery/ui/drag/drop.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import type { BoardFiles } from './board-files.ts'
import { endNaming, startRename } from './board-list-store.ts'
import { RowMenuButton } from './board-menu.tsx'
import { BoardNameField } from './board-name-field.tsx'
import { NavRow, rowHeight } from './nav-row.tsx'
import { useBoards } from './use-boards.ts'
import type { RovingFocus } from './use-roving-focus.ts'

interface BoardRowProps {
  board: Board
  /** The name without that of its groups. */
  label: string
  depth: number
  isRenaming: boolean
  roving: RovingFocus
  files: BoardFiles
}

/** A board in the sidebar. It opens the board, accepts dropped images and files, and has a menu. */
export function BoardRow(props: BoardRowProps) {
  const { board, label, depth, isRenaming, roving, files } = props
  const api = useGallery()
  const row = useRef<HTMLDivElement>(null)
  const canMove = canChangeBoard(api, board) && !isBeingMade(board) && !isRenaming
  const { isOver } = useDropTarget(row, {
    kind: 'images',
    accepts: () => !isBeingMade(board),
    onDrop: ({ moveTo }) => moveTo(board.board_id),
  })
  useDragSource(row, () =>
    canMove ? { kind: 'board', boardId: board.board_id, boardName: board.board_name } : null,
  )
  const endRename = () => {
    endNaming()
    roving.focus(board.board_id)
  }

  return (
    <div ref={row} data-board={board.board_id}>
      <files.Zone boardId={board.board_id} label={board.board_name}>
        {isRenaming ? (
          <div className={rowHeight}>
            <RenameField board={board} onEnd={endRename} />
          </div>
        ) : (
          <NavRow
            board={board.board_id}
            name={board.board_name}
            label={label}
            depth={depth}
            count={itemCountOf(board)}
            icon={<BoardCover board={board} />}
            marks={<BoardMarks board={board} />}
            isDropTarget={isOver}
            focus={roving.propsOf(board.board_id)}
            onDoubleClick={() => startRename(board.board_id)}
          >
            <RowMenuButton name={board.board_name} row={{ boardId: board.board_id }} />
          </NavRow>
        )}
      </files.Zone>
    </div>
  )
}

/** Renames a board. Another client may rename or delete it meanwhile. */
function RenameField({ board, onEnd }: { board: Board; onEnd: () => void }) {
  const { outbox } = useGallery()
  const current = useBoards()?.find(({ board_id }) => board_id === board.board_id)
  const [{ board_name: lastName }, setLast] = useState(current ?? board)
  if (current !== undefined && current.board_name !== lastName) setLast(current)
  return (
    <BoardNameField
      label="Board name"
      name={lastName}
      isDeleted={current === undefined}
      onDone={(name) => {
        onEnd()
        if (current !== undefined) outbox.renameBoard(current, name)
        else if (name !== lastName) {
          showToast({
            title: `“${isolated(lastName)}” was deleted meanwhile`,
            description: `It was not renamed to “${isolated(name)}”.`,
          })
        }
      }}
      onCancel={onEnd}
    />
  )
}

/** Icons for a pinned or archived board, and for one that other accounts see. The menu says the same in words. */
function BoardMarks({ board }: { board: Board }) {
  const hasAccounts = useAccount() !== null
  const isSeen = hasAccounts && board.board_visibility !== 'private'
  if (!board.archived && !isSeen && !board.starred) return null
  const Seen = board.board_visibility === 'public' ? Globe : Users
  return (
    <span aria-hidden className="flex shrink-0 gap-1 text-muted">
      {isSeen && <Seen size={14} strokeWidth={1.75} />}
      {board.starred && <Pin size={14} strokeWidth={1.75} />}
      {board.archived && <Archive size={14} strokeWidth={1.75} />}
    </span>
  )
}

/** The cover image of a board, or a placeholder. */
export function BoardCover({ board }: { board: Board }) {
  const { client } = useGallery()
  const url = coverUrl(client, board)
  return (
    <span className="flex size-8 items-center justify-center overflow-hidden rounded-sm bg-hover text-muted group-data-compact/nav:size-6">
      {url === null ? (
        <Image aria-hidden size={16} strokeWidth={1.5} />
      ) : (
        <img
          key={url}
          src={url}
          alt=""
          width={32}
          height={32}
          loading="lazy"
          decoding="async"
          draggable={false}
          className="size-full object-cover"
        />
      )}
    </span>
  )
}
