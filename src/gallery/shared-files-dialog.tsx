import { ChevronDown } from 'lucide-react'
import { type ComponentType, Suspense, useState } from 'react'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { MAX_SHARED_BYTES, MAX_SHARED_FILES } from '#contract/limits.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { countOf, formatBytes } from '#gallery/ui/text/count.ts'
import type { BoardPaletteProps } from './boards/board-palette.tsx'
import { useBoardName } from './boards/use-boards.ts'
import { Button } from './ui/button.tsx'
import { useFileSource } from './ui/files/use-file-source.ts'
import { Dialog } from './ui/popups/dialog.tsx'
import {
  addShares,
  discardShares,
  postponeShares,
  type ShareFault,
  useSharedFiles,
} from './uploads/shared-files.ts'
import { uploadTargetOf } from './uploads/upload-target.ts'

export interface SharedFilesDialogProps {
  /** Passed in, because it is loaded lazily. */
  BoardPalette: ComponentType<BoardPaletteProps>
}

/** Asks what to do with files that other apps shared. Nothing is uploaded before the user chooses Add. */
export function SharedFilesDialog({ BoardPalette }: SharedFilesDialogProps) {
  const { uploads } = useGallery()
  const { files, fault } = useSharedFiles()
  const [pickedId, setPickedId] = useState<string>(UNCATEGORIZED_BOARD_ID)
  const [isPicking, setPicking] = useState(false)
  const pickedName = useBoardName(pickedId)
  // The board may be deleted meanwhile.
  const boardId = pickedName === null ? UNCATEGORIZED_BOARD_ID : pickedId
  const boardName = pickedName ?? UNCATEGORIZED_BOARD_NAME
  const count = files.length
  const noun = files.every(isImage) ? 'image' : 'file'

  if (count === 0) {
    return (
      <Dialog
        isOpen
        onClose={postponeShares}
        title="Nothing was shared"
        description={fault !== null && faultWords[fault]}
        actions={<Button onClick={postponeShares}>Close</Button>}
      />
    )
  }
  return (
    <Dialog
      isOpen
      onClose={postponeShares}
      title={`Add ${countOf(count, `shared ${noun}`)}?`}
      description="Other apps and websites can share images and videos with Tessera. Choose Later to be asked again when Tessera opens."
      actions={
        <>
          <Button tone="quiet" className="mr-auto" onClick={() => void discardShares()}>
            Discard
          </Button>
          <Button onClick={postponeShares}>Later</Button>
          <Button
            tone="primary"
            onClick={() => void addShares(uploads, uploadTargetOf(boardId, boardName))}
          >
            Add
          </Button>
        </>
      }
    >
      {fault !== null && (
        <p role="alert" className="text-danger text-sm">
          {faultWords[fault]}
        </p>
      )}
      <Previews files={files} />
      <div className="flex items-center gap-2">
        <span id="share-target" className="shrink-0 text-muted text-sm">
          Add to
        </span>
        <Button
          id="share-board"
          aria-labelledby="share-target share-board"
          aria-haspopup="dialog"
          className="min-w-0 shrink"
          onClick={() => setPicking(true)}
        >
          <span dir="auto" className="truncate">
            {boardName}
          </span>
          <ChevronDown aria-hidden size={16} className="shrink-0" />
        </Button>
      </div>
      <Suspense>
        {isPicking && (
          <BoardPalette
            images={{ verb: 'Add', count, noun, placeOn: setPickedId }}
            onClose={() => setPicking(false)}
          />
        )}
      </Suspense>
    </Dialog>
  )
}

const isImage = ({ type }: File): boolean => type.startsWith('image/')

const faultWords: Readonly<Record<ShareFault, string>> = {
  empty: 'The last share contained no files.',
  'too-much': `The last share was too large and was not stored. At most ${countOf(MAX_SHARED_FILES, 'file')} and ${formatBytes(MAX_SHARED_BYTES)} can wait here. Add or discard the files that wait, or share fewer at once.`,
  failed: 'This browser could not store the last share. Free some space, then share again.',
}

/** Maximum number of previews. Decoding all files of a large share would fill the memory of a phone. */
const MAX_PREVIEWS = 6

/** Larger files are not decoded for a small preview. */
const MAX_PREVIEW_BYTES = 12_000_000

function Previews({ files }: { files: readonly File[] }) {
  const shown = files.filter((file) => isImage(file) && file.size <= MAX_PREVIEW_BYTES)
  const first = shown.slice(0, MAX_PREVIEWS)
  const otherCount = files.length - first.length
  if (first.length === 0) return null
  return (
    <ul aria-label="Previews" className="flex flex-wrap items-center gap-2">
      {first.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: files have no IDs, and names repeat
        <Preview key={index} file={file} />
      ))}
      {otherCount > 0 && <li className="text-muted text-sm">and {otherCount} more</li>}
    </ul>
  )
}

function Preview({ file }: { file: File }) {
  const showFile = useFileSource(file)
  return (
    <li className="size-16 overflow-hidden rounded bg-sunken">
      <img ref={showFile} alt={file.name} title={file.name} className="size-full object-cover" />
    </li>
  )
}
