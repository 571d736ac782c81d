import { Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { restoreBoard, restoreImages } from '#gallery/api/outbox.ts'
import { allTrashedNames } from '#gallery/api/trash-queries.ts'
import { Button } from '#gallery/ui/button.tsx'
import { showToast } from '#gallery/ui/toast.ts'
import { EmptyTrashDialog } from './empty-trash-dialog.tsx'
import { ticksCleared, useTickedNames } from './trash-store.ts'
import { useTrash } from './use-trash.ts'

/** What can be done with the trash: bring back what is ticked, or all; delete all for good. */
export function TrashActions() {
  const [isAsking, setIsAsking] = useState(false)
  const ticked = useTickedNames()
  const { boards, imageCount = 0, imagesComing, boardsComing } = useTrash()
  const isThereAny = imageCount > 0 || boards.length > 0
  if (!isThereAny && imagesComing === 0 && boardsComing === 0) return null

  const restoreTicked = () => {
    restoreImages([...ticked])
    ticksCleared()
  }
  const restoreAll = async () => {
    try {
      for (const board of boards) restoreBoard(board)
      const names = await allTrashedNames()
      if (names.length > 0) restoreImages(names)
    } catch {
      showToast({
        tone: 'danger',
        title: 'The trash could not be restored',
        description: 'The server did not answer.',
        action: { label: 'Retry', run: () => void restoreAll() },
      })
    }
  }

  return (
    <>
      {ticked.size > 0 ? (
        <Button tone="primary" onClick={restoreTicked}>
          <Undo2 aria-hidden size={16} strokeWidth={2} />
          Restore {ticked.size}
        </Button>
      ) : (
        isThereAny && (
          <Button onClick={() => void restoreAll()}>
            <Undo2 aria-hidden size={16} strokeWidth={2} />
            Restore all
          </Button>
        )
      )}
      <Button onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden size={16} strokeWidth={2} />
        Empty trash…
      </Button>
      <EmptyTrashDialog
        isOpen={isAsking}
        imageCount={imageCount + imagesComing}
        boardCount={boards.length + boardsComing}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}
