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
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { useKeys } from '#gallery/ui/keys.ts'
import { Menu, MenuItem } from '#gallery/ui/menu.tsx'
import { detailsToggled, useIsDetailsOpen } from './details-preference.ts'
import type { LightboxActions } from './lightbox-actions.ts'
import { toggleFullScreen } from './toggle-full-screen.ts'

interface LightboxToolbarProps {
  /** Absent while it is not known: only closing makes sense then. */
  image: ImageRecord | null
  /** `12 of 50,000`. */
  standing: string
  actions: LightboxActions
  onClose: () => void
}

/** Which picture this is, and what can be done with it. */
export function LightboxToolbar({ image, standing, actions, onClose }: LightboxToolbarProps) {
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-1 border-line border-b bg-surface py-1 pr-2 pl-4">
      <p className="flex min-w-0 flex-1 items-baseline gap-3" aria-live="polite">
        <span className="shrink-0 text-sm tabular-nums">{standing}</span>
        <span className="hidden min-w-0 truncate text-muted text-sm md:block">
          {image?.file_name ?? image?.image_name}
        </span>
      </p>
      {image && <ImageActions image={image} actions={actions} />}
      <IconButton label="Close" icon={X} onClick={onClose} />
    </header>
  )
}

function ImageActions({ image, actions }: { image: ImageRecord; actions: LightboxActions }) {
  const isDetailsOpen = useIsDetailsOpen()
  const hasQueue = useHasQueue()
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
      <IconButton label="Move to board" icon={FolderInput} onClick={() => onMove(image)} />
      <IconButton label="Download" icon={Download} onClick={() => onDownload(image)} />
      <IconButton label="Delete" icon={Trash2} onClick={() => onDelete(image)} />
      <IconButton
        label="Details"
        icon={Info}
        aria-pressed={isDetailsOpen}
        className={isDetailsOpen ? 'bg-hover text-ink' : ''}
        onClick={detailsToggled}
      />
      {hasQueue && <QueueMenu image={image} actions={actions} />}
      {document.fullscreenEnabled && (
        <IconButton
          label="Full screen"
          icon={Maximize}
          className="pointer-coarse:hidden"
          onClick={toggleFullScreen}
        />
      )}
    </>
  )
}

/** What the queue can do to it. */
function QueueMenu({ image, actions }: { image: ImageRecord; actions: LightboxActions }) {
  useKeys(
    'Image viewer',
    [
      { keys: 'Shift+M', label: 'Copy to a board', run: () => actions.onCopy(image) },
      { keys: 'p', label: 'Process', run: () => actions.onProcess(image) },
    ],
    { within: () => document.querySelector('[aria-label="Image viewer"]') },
  )
  return (
    <Menu align="end" trigger={<IconButton label="More" icon={Ellipsis} />}>
      <MenuItem icon={Copy} onSelect={() => actions.onCopy(image)}>
        Copy to board…
      </MenuItem>
      <MenuItem icon={Wand} onSelect={() => actions.onProcess(image)}>
        Process…
      </MenuItem>
    </Menu>
  )
}
