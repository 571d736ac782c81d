import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { itemCountOf } from '#gallery/api/images/noun.ts'
import { closeDeleteDialog, useBoardToDelete } from '#gallery/boards/board-list-store.ts'
import { useBoards, useIsBoardMissing } from '#gallery/boards/use-boards.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { formatCount } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { contentOf, thingsOf } from './content-words.ts'

interface DeleteBoardDialogProps {
  /** Called when the board is removed from the list. */
  onDeleted: (board: Board) => void
}

/** Asks whether to keep the images of a deleted board. Keeping them is the default; deleting them needs a checkbox. */
export function DeleteBoardDialog({ onDeleted }: DeleteBoardDialogProps) {
  const board = useBoardToDelete()
  const isGone = useIsBoardMissing(board?.board_id ?? UNCATEGORIZED_BOARD_ID)
  if (board === null) return null
  if (isGone) return <BoardGone board={board} />
  return <DeleteBoard key={board.board_id} board={board} onDeleted={onDeleted} />
}

/** Says that another client deleted the board while the dialog was open. */
function BoardGone({ board }: { board: Board }) {
  return (
    <Dialog
      isOpen
      onClose={closeDeleteDialog}
      title={`“${isolated(board.board_name)}” was deleted`}
      description={<span role="alert">Somebody else deleted this board.</span>}
      actions={<Button onClick={closeDeleteDialog}>Close</Button>}
    />
  )
}

function DeleteBoard({ board: opened, onDeleted }: DeleteBoardDialogProps & { board: Board }) {
  const { boardQueries, outbox } = useGallery()
  // Another client may add images while the dialog is open.
  const board = useBoards()?.find(({ board_id }) => board_id === opened.board_id) ?? opened
  const [isSure, setIsSure] = useState(false)
  const hasTrash = useHasExtension('trash')
  const { data: starredCount } = useQuery({
    ...boardQueries.starredCount(board.board_id),
    enabled: itemCountOf(board) > 0,
  })
  const isEmpty = itemCountOf(board) === 0
  const content = contentOf(board)
  const things = thingsOf(board)

  const deleteBoard = (what: 'keep' | 'delete') => {
    closeDeleteDialog()
    outbox.trashBoard(board, what)
    onDeleted(board)
  }

  return (
    <Dialog
      isOpen
      onClose={closeDeleteDialog}
      title={`Delete “${isolated(board.board_name)}”?`}
      description={
        isEmpty ? (
          'This board is empty.'
        ) : (
          <>
            Contains <strong className="font-semibold text-ink">{content}</strong>
            {starredCount === undefined ? '' : ` (${starredOf(starredCount)} starred)`}.
          </>
        )
      }
      actions={
        <>
          <Button tone="quiet" onClick={closeDeleteDialog}>
            Cancel
          </Button>
          {isSure ? (
            <Button key="danger" tone="danger" onClick={() => deleteBoard('delete')}>
              Delete board and {content}
            </Button>
          ) : (
            <Button key="safe" tone="primary" onClick={() => deleteBoard('keep')}>
              {isEmpty ? 'Delete board' : `Delete board, keep ${things}`}
            </Button>
          )}
        </>
      }
    >
      {!isEmpty && (
        <KeepOrDelete
          whose="Its"
          things={things}
          hasTrash={hasTrash}
          isSure={isSure}
          onChange={setIsSure}
        />
      )}
    </Dialog>
  )
}

interface KeepOrDeleteProps {
  whose: 'Its' | 'Their'
  things: string
  hasTrash: boolean
  /** True to delete the images too. */
  isSure: boolean
  onChange: (isSure: boolean) => void
}

/** The choice to delete the images of deleted boards too. */
export function KeepOrDelete({ whose, things, hasTrash, isSure, onChange }: KeepOrDeleteProps) {
  const deleted = hasTrash ? 'move to the trash too' : 'are permanently deleted too'
  return (
    <>
      <p>{`${whose} ${things} ${isSure ? deleted : 'move to Assets'}.`}</p>
      <label className="flex min-h-9 items-center gap-3 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          checked={isSure}
          onChange={(event) => onChange(event.currentTarget.checked)}
          className="size-4 accent-danger"
        />
        Delete {whose.toLowerCase()} {things} as well
      </label>
    </>
  )
}

export const starredOf = (count: number): string => (count === 0 ? 'none' : formatCount(count))
