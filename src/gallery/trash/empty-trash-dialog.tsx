import { emptyTrash } from '#gallery/api/outbox.ts'
import { Button } from '#gallery/ui/button.tsx'
import { countOf } from '#gallery/ui/count.ts'
import { Dialog } from '#gallery/ui/dialog.tsx'
import { showToast } from '#gallery/ui/toast.ts'

interface EmptyTrashDialogProps {
  isOpen: boolean
  imageCount: number
  boardCount: number
  onClose: () => void
}

/** Asks before everything in the trash is permanently deleted, which cannot be undone. */
export function EmptyTrashDialog({
  isOpen,
  imageCount,
  boardCount,
  onClose,
}: EmptyTrashDialogProps) {
  const what = [
    imageCount > 0 ? countOf(imageCount, 'image') : '',
    boardCount > 0 ? countOf(boardCount, 'board') : '',
  ]
    .filter(Boolean)
    .join(' and ')
  const empty = async () => {
    onClose()
    const { done } = await emptyTrash().outcome
    if (done.length > 0) showToast({ title: `${what} deleted for good` })
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Empty the trash?"
      description={`${what} will be deleted for good. This cannot be undone.`}
      actions={
        <>
          <Button tone="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button tone="danger" onClick={() => void empty()}>
            Delete for good
          </Button>
        </>
      }
    />
  )
}
