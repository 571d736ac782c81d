import { FolderUp, Upload } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import type { UploadQueue } from '#gallery/api/uploads/upload-queue.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { foundFiles } from '#gallery/uploads/drop/chosen-files.ts'
import { addFiles, addPickedFolder } from './add-files.ts'
import { KNOWN_TYPES } from './file-fault.ts'

interface UploadButtonProps {
  target: UploadTarget
  tone?: ComponentProps<typeof Button>['tone']
  /** A second button on the page needs a more specific label. */
  label?: string
  /** Shows only the icon on narrow screens. */
  isCompact?: boolean
}

const canPickFolders = 'webkitdirectory' in HTMLInputElement.prototype

/** Opens the file picker and uploads the picked files. Call it in the handler of a click or key press. */
export const pickFiles = (uploads: UploadQueue, target: UploadTarget): void =>
  // With explicit types, iOS converts HEIC photos to JPEG.
  openPicker({ accept: KNOWN_TYPES.join() }, (files) =>
    addFiles(uploads, foundFiles(files), target),
  )

function openPicker(
  options: Partial<HTMLInputElement>,
  onPick: (files: Iterable<File>) => void,
): void {
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', multiple: true, hidden: true, ...options })
  input.onchange = () => {
    onPick(input.files ?? [])
    input.remove()
  }
  input.oncancel = () => input.remove()
  // Safari discards an input that is not in the document.
  document.body.append(input)
  input.click()
}

/** Buttons that pick files or a folder and upload them. Used in the header and on empty views. */
export function UploadButton({
  target,
  tone = 'primary',
  label = 'Upload',
  isCompact = false,
}: UploadButtonProps) {
  const { uploads } = useGallery()
  const pickFolder = () =>
    openPicker({ webkitdirectory: true }, (files) => addPickedFolder(uploads, files, target))
  return (
    <div className="flex items-center gap-1">
      <Button tone={tone} className="min-w-11" onClick={() => pickFiles(uploads, target)}>
        <Upload aria-hidden size={16} strokeWidth={2} />
        <span className={isCompact ? 'max-sm:sr-only' : ''}>{label}</span>
      </Button>
      {canPickFolders && (
        <IconButton
          label="Add a folder"
          icon={FolderUp}
          className="max-sm:hidden pointer-coarse:hidden"
          onClick={pickFolder}
        />
      )}
    </div>
  )
}
