import { FolderUp, Upload } from 'lucide-react'
import { type ComponentProps, useRef } from 'react'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { foundFiles } from '#gallery/uploads/drop/chosen-files.ts'
import { KNOWN_TYPES } from './file-fault.ts'
import type { UploadTarget } from './upload.ts'
import { addFiles, addPickedFolder } from './upload-actions.ts'

interface UploadButtonProps {
  target: UploadTarget
  tone?: ComponentProps<typeof Button>['tone']
  /** Where the header already has the button Upload, another one says more. */
  label?: string
  /** Only the icon where there is little room, as in the header of a narrow screen. */
  isCompact?: boolean
}

const canPickFolders = 'webkitdirectory' in HTMLInputElement.prototype

/** Asks for files and uploads them. Call it while a click or key press is handled. */
export function pickFiles(target: UploadTarget): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  // Named types, so that iOS converts HEIC photos to JPEG.
  input.accept = KNOWN_TYPES.join()
  input.hidden = true
  input.onchange = () => {
    addFiles(foundFiles(input.files ?? []), target)
    input.remove()
  }
  input.oncancel = () => input.remove()
  // Safari forgets an input that is not in the document.
  document.body.append(input)
  input.click()
}

/**
 * Picks files, or a folder, and uploads them.
 *
 * In app.tsx it stands in the header's actions and in the notice of an empty view.
 */
export function UploadButton({
  target,
  tone = 'primary',
  label = 'Upload',
  isCompact = false,
}: UploadButtonProps) {
  const folderInput = useRef<HTMLInputElement>(null)

  const folderChosen = (input: HTMLInputElement) => {
    addPickedFolder(input.files ?? [], target)
    // The same files again are a change only from nothing.
    input.value = ''
  }

  const pickFolder = () => {
    if (folderInput.current === null) return
    folderInput.current.webkitdirectory = true
    folderInput.current.click()
  }

  return (
    <div className="flex items-center gap-1">
      <Button tone={tone} className="min-w-11" onClick={() => pickFiles(target)}>
        <Upload aria-hidden size={16} strokeWidth={2} />
        <span className={isCompact ? 'max-sm:sr-only' : ''}>{label}</span>
      </Button>
      {canPickFolders && (
        <>
          <IconButton
            label="Add a folder"
            icon={FolderUp}
            className="max-sm:hidden pointer-coarse:hidden"
            onClick={pickFolder}
          />
          <input
            ref={folderInput}
            type="file"
            multiple
            hidden
            onChange={(event) => folderChosen(event.currentTarget)}
          />
        </>
      )}
    </div>
  )
}
