import { Images, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Board } from '#contract/board.ts'
import { useCapabilities } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { itemCountOf, nounOfBoard } from '#gallery/api/images/noun.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { useTrash } from './use-trash.ts'

/** The deleted boards, above the grid of the deleted images. */
export function TrashPane({ images }: { images: ReactNode }) {
  const days = useCapabilities()?.trash_days
  const { total, boards, pendingImageCount, pendingBoardCount } = useTrash()
  const hasPending = pendingImageCount + pendingBoardCount > 0
  return (
    <>
      {(total > 0 || boards.length > 0) && (
        <p className="shrink-0 px-4 pt-3 text-muted text-sm md:px-6">
          Items are permanently deleted after {days} days.
          {hasPending && ' More items are being moved here.'}
        </p>
      )}
      {boards.length > 0 && <TrashedBoards boards={boards} areAlone={total === 0} />}
      {images}
    </>
  )
}

export function NoTrashedImages() {
  const days = useCapabilities()?.trash_days
  const { isKnown, boards, pendingImageCount, pendingBoardCount } = useTrash()
  if (!isKnown || boards.length > 0) return null
  return pendingImageCount + pendingBoardCount > 0 ? (
    <Notice icon={Trash2} title="Deleted items are being moved here">
      You can restore them when they are here.
    </Notice>
  ) : (
    <Notice icon={Trash2} title="The trash is empty">
      Deleted items stay here for {days} days and can be restored.
    </Notice>
  )
}

interface TrashedBoardsProps {
  boards: readonly Board[]
  /** True if no images need room below. */
  areAlone: boolean
}

/** The boards in the trash, each with a button that restores it. */
function TrashedBoards({ boards, areAlone }: TrashedBoardsProps) {
  const { outbox } = useGallery()
  return (
    <section
      aria-label="Boards in the trash"
      className={`overflow-y-auto px-4 py-3 md:px-6 ${areAlone ? 'flex-1' : 'max-h-2/5 shrink-0'}`}
    >
      <h2 className="font-medium text-sm">{countOf(boards.length, 'deleted board')}</h2>
      <p className="mb-2 text-muted text-sm">
        Images that are restored without their board go to Assets.
      </p>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 xl:grid-cols-3">
        {boards.map((board) => (
          <li
            key={board.board_id}
            className="flex items-center gap-3 rounded border border-line py-2 pr-2 pl-3"
          >
            <Images aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-muted" />
            <span dir="auto" className="min-w-0 flex-1 truncate" title={board.board_name}>
              {board.board_name}
            </span>
            {itemCountOf(board) > 0 && (
              <span className="shrink-0 text-muted text-xs tabular-nums">
                {countOf(itemCountOf(board), nounOfBoard(board))}
              </span>
            )}
            <Button
              tone="quiet"
              aria-label={`Restore ${board.board_name}`}
              onClick={() => outbox.restoreBoard(board)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
