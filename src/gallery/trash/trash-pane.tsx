import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCapabilities } from '#gallery/api/capabilities.ts'
import { Notice } from '#gallery/ui/notice.tsx'
import { TrashedBoards } from './trashed-boards.tsx'
import { useTrash } from './use-trash.ts'

/** The deleted boards, above the grid of the deleted images. */
export function TrashPane({ images }: { images: ReactNode }) {
  const days = useCapabilities()?.trash_days
  const { total, boards, imagesComing, boardsComing } = useTrash()
  const isComing = imagesComing + boardsComing > 0
  return (
    <>
      {(total > 0 || boards.length > 0) && (
        <p className="shrink-0 px-4 pt-3 text-muted text-sm md:px-6">
          Items are permanently deleted after {days} days.
          {isComing && ' More items are being moved here.'}
        </p>
      )}
      {boards.length > 0 && <TrashedBoards boards={boards} areAlone={total === 0} />}
      {images}
    </>
  )
}

/** No image is in the trash. */
export function NoTrashedImages() {
  const days = useCapabilities()?.trash_days
  const { isKnown, boards, imagesComing, boardsComing } = useTrash()
  if (!isKnown || boards.length > 0) return null
  return imagesComing + boardsComing > 0 ? (
    <Notice icon={Trash2} title="Deleted items are being moved here">
      You can restore them when they are here.
    </Notice>
  ) : (
    <Notice icon={Trash2} title="The trash is empty">
      Deleted items stay here for {days} days and can be restored.
    </Notice>
  )
}
