import { useQuery } from '@tanstack/react-query'
import { Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { TRASH_VIEW, viewOf } from '#gallery/api/images/image-windows.ts'
import type { Noun } from '#gallery/api/images/noun.ts'
import { Button, CommandButton } from '#gallery/ui/button.tsx'
import type { IconCommand } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { countOf, sizedCount } from '#gallery/ui/text/count.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { currentPlace } from '#gallery/url/use-place.ts'
import { useTrash } from './use-trash.ts'

export function TrashActions() {
  const { outbox } = useGallery()
  const [isAsking, setIsAsking] = useState(false)
  const { total, noun, boards, pendingImageCount, pendingBoardCount } = useTrash()
  const hasItems = total > 0 || boards.length > 0
  const restoreAll: IconCommand = {
    id: 'trash.restoreAll',
    label: 'Restore all',
    icon: Undo2,
    group: 'trash',
    run: () => outbox.restoreTrash({ total, noun, boards, view: viewOf(currentPlace()) }),
  }
  const empty: IconCommand = {
    id: 'trash.empty',
    label: 'Empty trash…',
    icon: Trash2,
    group: 'trash',
    isDanger: true,
    run: () => setIsAsking(true),
  }
  const hasAny = hasItems || pendingImageCount + pendingBoardCount > 0
  useCommands('Trash', [...(hasItems ? [restoreAll] : []), ...(hasAny ? [empty] : [])])
  if (!hasAny) return null

  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {hasItems && <Action command={restoreAll} />}
      <Action command={empty} />
      <EmptyTrashDialog
        isOpen={isAsking}
        imageCount={total + pendingImageCount}
        noun={noun}
        boardCount={boards.length + pendingBoardCount}
        onClose={() => setIsAsking(false)}
      />
    </div>
  )
}

/** On a narrow page only the icon is shown. */
function Action({ command }: { command: IconCommand }) {
  const { icon: Icon, label, run } = command
  if (useIsCompact()) return <CommandButton command={command} />
  return (
    <Button onClick={() => run()}>
      <Icon aria-hidden size={16} strokeWidth={2} />
      {label}
    </Button>
  )
}

interface EmptyTrashDialogProps {
  isOpen: boolean
  imageCount: number
  noun: Noun
  boardCount: number
  onClose: () => void
}

/** Asks before everything in the trash is permanently deleted, which cannot be undone. */
function EmptyTrashDialog({
  isOpen,
  imageCount,
  noun,
  boardCount,
  onClose,
}: EmptyTrashDialogProps) {
  const { outbox, imageQueries } = useGallery()
  const { data: size } = useQuery({ ...imageQueries.size(TRASH_VIEW), enabled: isOpen })
  // While images are on their way to the trash, the server sums up others than the dialog counts.
  const bytes = size?.total === imageCount ? size.bytes : null
  const images = imageCount > 0 ? countOf(imageCount, noun) : ''
  const boards = boardCount > 0 ? countOf(boardCount, 'board') : ''
  const what = [images, boards].filter(Boolean).join(' and ')
  const sized = imageCount > 0 ? sizedCount(imageCount, bytes, noun) : ''
  const description = [sized, boards].filter(Boolean).join(', and ')
  const empty = async () => {
    onClose()
    const { done } = await outbox.emptyTrash().outcome
    if (done.length > 0) showToast({ title: `${what} deleted for good` })
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Empty the trash?"
      description={`${description} will be deleted for good. This cannot be undone.`}
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
