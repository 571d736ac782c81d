import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { countOf } from '#gallery/ui/text/count.ts'

/** More items than this are canceled only after a confirmation. */
export const FEW_ITEMS = 3

interface CancelQuestionProps {
  count: number
  isOpen: boolean
  onClose: () => void
  onCancel: () => void
}

/** Asks before running and waiting items are canceled. */
export function CancelQuestion({ count, isOpen, onClose, onCancel }: CancelQuestionProps) {
  return (
    <Dialog
      title={`Cancel ${countOf(count, 'item')}?`}
      description="The running item stops and waiting items are removed. Images that are already made stay."
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep them</Button>
          <Button tone="danger" onClick={onCancel}>
            Cancel {countOf(count, 'item')}
          </Button>
        </>
      }
    />
  )
}
