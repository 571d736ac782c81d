import { FolderUp, Upload } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import type { UploadQueue } from '#gallery/api/uploads/upload-queue.ts'
import { Button } from '#gallery/ui/button.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { useMedia } from '#gallery/ui/use-media.ts'
import { foundFiles } from '#gallery/uploads/drop/chosen-files.ts'
import { addFiles, addPickedFolder } from './add-files.ts'
import { pickableTypes } from './file-fault.ts'

interface UploadButtonProps {
  target: UploadTarget
  tone?: ComponentProps<typeof Button>['tone']
}

const canPickFolders = 'webkitdirectory' in HTMLInputElement.prototype

/** Opens the file picker and uploads the picked files. Call it in the handler of a click or key press. */
export const pickFiles = (uploads: UploadQueue, target: UploadTarget): void =>
  openPicker({ accept: pickableTypes(uploads.limits()).join() }, (files) => {
    void addFiles(uploads, foundFiles(files), target)
  })

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

const pickFolder = (uploads: UploadQueue, target: UploadTarget): void =>
  openPicker({ webkitdirectory: true }, (files) => addPickedFolder(uploads, files, target))

/** Returns true if the user can pick a folder: not on phones, whose pickers have no folders. */
const useCanPickFolders = (): boolean => !useMedia('(pointer: coarse)') && canPickFolders

/** Registers the commands that upload to the open place, and returns them. */
export function useUploadCommands(target: UploadTarget): readonly Command[] {
  const { uploads } = useGallery()
  const files: Command = {
    id: 'upload.files',
    label: 'Upload files…',
    icon: Upload,
    group: 'add',
    keys: 'u',
    run: () => pickFiles(uploads, target),
  }
  const folder: Command = {
    id: 'upload.folder',
    label: 'Upload a folder…',
    icon: FolderUp,
    group: 'add',
    keys: 'Shift+U',
    run: () => pickFolder(uploads, target),
  }
  const commands = useCanPickFolders() ? [files, folder] : [files]
  useCommands('Anywhere', commands)
  return commands
}

/** Buttons of empty views that pick files or a folder and upload them. */
export function UploadButton({ target, tone = 'primary' }: UploadButtonProps) {
  const { uploads } = useGallery()
  return (
    <div className="flex flex-wrap justify-center gap-2">
      <Button tone={tone} className="min-w-11" onClick={() => pickFiles(uploads, target)}>
        <Upload aria-hidden size={16} strokeWidth={2} />
        Choose files
      </Button>
      {useCanPickFolders() && (
        <Button className="max-sm:hidden" onClick={() => pickFolder(uploads, target)}>
          <FolderUp aria-hidden size={16} strokeWidth={1.75} />
          Choose a folder
        </Button>
      )}
    </div>
  )
}
