import { Trash2, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { restoreBoard, restoreImages } from '#gallery/api/outbox.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { allTrashedNames, deleteTrashed } from '#gallery/api/trash-queries.ts'
import { Button } from '#gallery/ui/button.tsx'
import { countOf, formatCount } from '#gallery/ui/count.ts'
import { Dialog } from '#gallery/ui/dialog.tsx'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { useKeys } from '#gallery/ui/keys.ts'
import { showToast } from '#gallery/ui/toast.ts'
import { EmptyTrashDialog } from './empty-trash-dialog.tsx'
import { allTicked, ticksCleared, useTickedNames } from './trash-store.ts'
import { useTrash } from './use-trash.ts'

/** Restores or permanently deletes the selected items of the trash, or all of them. */
export function TrashActions() {
  const [asked, setAsked] = useState<'empty' | 'delete' | null>(null)
  const ticked = useTickedNames()
  const { boards, images, imageCount = 0, imagesComing, boardsComing } = useTrash()
  const isThereAny = imageCount > 0 || boards.length > 0
  const hasTicked = ticked.size > 0

  const restoreTicked = () => {
    restoreImages([...ticked])
    ticksCleared()
  }
  const restoreAll = async () => {
    for (const board of boards) restoreBoard(board)
    const names = await allTrashedNames()
    if (names.length > 0) restoreImages(names)
  }
  const tickAll = async () => {
    allTicked(images.map(({ image_name }) => image_name))
    if (images.length < imageCount) allTicked(await allTrashedNames())
  }
  useKeys('Trash', [
    { keys: '$mod+a', label: 'Select all', run: () => void orReport(tickAll, 'select all') },
    { keys: 'r', label: 'Restore', run: () => hasTicked && restoreTicked() },
    { keys: 'Delete', label: 'Delete for good', run: () => hasTicked && setAsked('delete') },
  ])
  useKeys('Trash', [{ keys: 'Escape', label: 'Clear the selection', run: ticksCleared }], {
    isOn: hasTicked,
  })
  if (!isThereAny && imagesComing === 0 && boardsComing === 0) return null

  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {hasTicked ? (
        <>
          <IconButton label="Clear selection" icon={X} onClick={ticksCleared} />
          <Button tone="primary" onClick={restoreTicked}>
            <Undo2 aria-hidden size={16} strokeWidth={2} />
            Restore {formatCount(ticked.size)}
          </Button>
          <Button onClick={() => setAsked('delete')}>
            <Trash2 aria-hidden size={16} strokeWidth={2} />
            Delete for good…
          </Button>
        </>
      ) : (
        isThereAny && (
          <Button onClick={() => void orReport(restoreAll, 'restore the trash')}>
            <Undo2 aria-hidden size={16} strokeWidth={2} />
            Restore all
          </Button>
        )
      )}
      {imageCount > 0 && ticked.size < imageCount && (
        <Button onClick={() => void orReport(tickAll, 'select all')}>Select all</Button>
      )}
      {!hasTicked && (
        <Button onClick={() => setAsked('empty')}>
          <Trash2 aria-hidden size={16} strokeWidth={2} />
          Empty trash…
        </Button>
      )}
      <EmptyTrashDialog
        isOpen={asked === 'empty'}
        imageCount={imageCount + imagesComing}
        boardCount={boards.length + boardsComing}
        onClose={() => setAsked(null)}
      />
      <DeleteTickedDialog
        isOpen={asked === 'delete'}
        imageNames={[...ticked]}
        onClose={() => setAsked(null)}
      />
    </div>
  )
}

interface DeleteTickedDialogProps {
  isOpen: boolean
  imageNames: readonly string[]
  onClose: () => void
}

/** Asks before the selected images are permanently deleted. */
function DeleteTickedDialog({ isOpen, imageNames, onClose }: DeleteTickedDialogProps) {
  const what = countOf(imageNames.length, 'image')
  const remove = async () => {
    onClose()
    ticksCleared()
    await deleteTrashed(imageNames)
    showToast({ title: `${what} deleted for good` })
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${what} for good?`}
      description="The files are removed from the disk. This cannot be undone."
      actions={
        <>
          <Button tone="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button tone="danger" onClick={() => void orReport(remove, `delete ${what}`)}>
            Delete for good
          </Button>
        </>
      }
    />
  )
}

/** Runs an action and reports its failure with Retry. */
async function orReport(act: () => Promise<void>, what: string): Promise<void> {
  try {
    await act()
  } catch (error) {
    showToast({
      tone: 'danger',
      title: `Could not ${what}`,
      description: reasonOf(error),
      action: { label: 'Retry', run: () => void orReport(act, what) },
    })
  }
}
