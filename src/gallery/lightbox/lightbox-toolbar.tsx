import {
  Copy,
  Download,
  Ellipsis,
  FolderInput,
  Info,
  Maximize,
  Star,
  Trash2,
  Wand,
  X,
} from 'lucide-react'
import type { ImageRecord } from '#contract/image.ts'
import { useHasQueue } from '#gallery/api/process-queue.ts'
import { detailsToggled, useIsDetailsOpen } from '#gallery/ui/details-preference.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { useKeys } from '#gallery/ui/keys.ts'
import { Menu, MenuItem } from '#gallery/ui/menu.tsx'
import { fileNameOf, imageLabelOf } from '#gallery/ui/names.ts'
import { useMedia } from '#gallery/ui/use-media.ts'
import type { LightboxActions } from './lightbox-actions.ts'
import { toggleFullScreen } from './toggle-full-screen.ts'

interface LightboxToolbarProps {
  /** `null` while it is not loaded: only Close is shown then. */
  image: ImageRecord | null
  /** `12 of 50,000`. */
  standing: string
  actions: LightboxActions
  onClose: () => void
}

/** The position and name of the image, and the actions on it. */
export function LightboxToolbar({ image, standing, actions, onClose }: LightboxToolbarProps) {
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-1 border-line border-b bg-surface py-1 pr-2 pl-3 sm:pl-4">
      <p className="flex min-w-0 flex-1 items-baseline gap-3" aria-live="polite">
        <span className="min-w-0 truncate text-sm tabular-nums">{standing}</span>
        {image && (
          <>
            <span className="sr-only">{imageLabelOf(image)}</span>
            <span
              aria-hidden
              dir="auto"
              className="hidden min-w-0 truncate text-muted text-sm md:block"
            >
              {fileNameOf(image)}
            </span>
          </>
        )}
      </p>
      {image && <ImageActions image={image} actions={actions} />}
      <IconButton label="Close" icon={X} onClick={onClose} />
    </header>
  )
}

/** Below this width only the most used actions are in the bar; the others are in the menu. */
const FOLDED = '(width < 34rem)'

function ImageActions({ image, actions }: { image: ImageRecord; actions: LightboxActions }) {
  const isDetailsOpen = useIsDetailsOpen()
  const isFolded = useMedia(FOLDED)
  const { onStar, onMove, onDownload, onDelete } = actions
  return (
    <>
      <IconButton
        label={image.starred ? 'Unstar' : 'Star'}
        icon={Star}
        filled={image.starred}
        className={image.starred ? 'text-star hover:text-star' : ''}
        onClick={() => onStar(image, !image.starred)}
      />
      {!isFolded && (
        <>
          <IconButton label="Move to board" icon={FolderInput} onClick={() => onMove(image)} />
          <IconButton label="Download" icon={Download} onClick={() => onDownload(image)} />
        </>
      )}
      <IconButton label="Delete" icon={Trash2} onClick={() => onDelete(image)} />
      <IconButton
        label="Details"
        icon={Info}
        aria-pressed={isDetailsOpen}
        className={isDetailsOpen ? 'bg-hover text-ink' : ''}
        onClick={detailsToggled}
      />
      {!isFolded && document.fullscreenEnabled && (
        <IconButton label="Full screen" icon={Maximize} onClick={toggleFullScreen} />
      )}
      <MoreMenu image={image} actions={actions} isFolded={isFolded} />
    </>
  )
}

interface MoreMenuProps {
  image: ImageRecord
  actions: LightboxActions
  /** Whether it holds the actions that do not fit in the bar. */
  isFolded: boolean
}

/** Actions that do not fit in the bar, and those that need a server with a queue. */
function MoreMenu({ image, actions, isFolded }: MoreMenuProps) {
  const hasQueue = useHasQueue()
  const queueKeys = [
    { keys: 'Shift+M', label: 'Copy to a board', run: () => actions.onCopy(image) },
    { keys: 'p', label: 'Process', run: () => actions.onProcess(image) },
  ]
  useKeys('Image viewer', hasQueue ? queueKeys : [], {
    within: () => document.querySelector('[aria-label="Image viewer"]'),
  })
  if (!isFolded && !hasQueue) return null
  return (
    <Menu align="end" trigger={<IconButton label="More" icon={Ellipsis} />}>
      {isFolded && (
        <>
          <MenuItem icon={FolderInput} onSelect={() => actions.onMove(image)}>
            Move to board…
          </MenuItem>
          <MenuItem icon={Download} onSelect={() => actions.onDownload(image)}>
            Download
          </MenuItem>
          {document.fullscreenEnabled && (
            <MenuItem icon={Maximize} onSelect={toggleFullScreen}>
              Full screen
            </MenuItem>
          )}
        </>
      )}
      {hasQueue && <QueueItems image={image} actions={actions} />}
    </Menu>
  )
}

/** Actions that need a server with a queue. */
function QueueItems({ image, actions }: { image: ImageRecord; actions: LightboxActions }) {
  return (
    <>
      <MenuItem icon={Copy} onSelect={() => actions.onCopy(image)}>
        Copy to board…
      </MenuItem>
      <MenuItem icon={Wand} onSelect={() => actions.onProcess(image)}>
        Process…
      </MenuItem>
    </>
  )
}
