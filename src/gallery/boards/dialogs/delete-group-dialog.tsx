import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { itemCountOf } from '#gallery/api/images/noun.ts'
import { closeGroupDialog } from '#gallery/boards/board-list-store.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { contentOf, thingsOf } from './content-words.ts'
import { KeepOrDelete, starredOf } from './delete-board-dialog.tsx'

interface DeleteGroupProps {
  path: string
  /** The boards of the group, at any depth. */
  members: readonly Board[]
  /** Called for each board when it is removed from the list. */
  onDeleted: (board: Board) => void
}

/** Asks whether to keep the images of a deleted group. Keeping them is the default; deleting them needs a checkbox. */
export function DeleteGroup({ path, members, onDeleted }: DeleteGroupProps) {
  const { outbox } = useGallery()
  const [isSure, setIsSure] = useState(false)
  const hasTrash = useHasExtension('trash')
  const starredCount = useStarredCount(members)
  const counts = {
    image_count: sumOf(members, ({ image_count }) => image_count),
    video_count: sumOf(members, ({ video_count }) => video_count),
  }
  const archivedCount = members.filter(({ archived }) => archived).length
  const isEmpty = itemCountOf(counts) === 0
  const boards = countOf(members.length, 'board')
  const content = contentOf(counts)
  const things = thingsOf(counts)

  const deleteGroup = (what: 'keep' | 'delete') => {
    closeGroupDialog()
    outbox.trashGroup(path, members, what)
    for (const board of members) onDeleted(board)
  }

  return (
    <Dialog
      isOpen
      onClose={closeGroupDialog}
      title={`Delete the group “${isolated(path)}”?`}
      description={
        <>
          {boards}
          {archivedCount > 0 && `, ${archivedCount} of them archived`},{' '}
          {isEmpty ? 'without images.' : 'with '}
          {!isEmpty && (
            <>
              <strong className="font-semibold text-ink">{content}</strong>
              {starredCount === undefined ? '' : ` (${starredOf(starredCount)} starred)`}.
            </>
          )}
        </>
      }
      actions={
        <>
          <Button tone="quiet" onClick={closeGroupDialog}>
            Cancel
          </Button>
          {isSure ? (
            <Button key="danger" tone="danger" onClick={() => deleteGroup('delete')}>
              Delete {boards} and {content}
            </Button>
          ) : (
            <Button key="safe" tone="primary" onClick={() => deleteGroup('keep')}>
              {isEmpty ? `Delete ${boards}` : `Delete ${boards}, keep ${things}`}
            </Button>
          )}
        </>
      }
    >
      {!isEmpty && (
        <KeepOrDelete
          whose="Their"
          things={things}
          hasTrash={hasTrash}
          isSure={isSure}
          onChange={setIsSure}
        />
      )}
    </Dialog>
  )
}

const sumOf = (boards: readonly Board[], count: (board: Board) => number): number =>
  boards.reduce((sum, board) => sum + count(board), 0)

/** The stars of more boards are not counted: each board needs a request. */
const MAX_COUNTED = 20

/** Returns the number of starred images on several boards; undefined until all are counted, or if there are too many. */
function useStarredCount(boards: readonly Board[]): number | undefined {
  const { boardQueries } = useGallery()
  const filled = boards.filter((board) => itemCountOf(board) > 0)
  const isCounted = filled.length <= MAX_COUNTED
  const counts = useQueries({
    queries: isCounted ? filled.map(({ board_id }) => boardQueries.starredCount(board_id)) : [],
  })
  if (!isCounted || counts.some(({ data }) => data === undefined)) return undefined
  return counts.reduce((sum, { data = 0 }) => sum + data, 0)
}
