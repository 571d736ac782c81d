import { Copy, Download, Ellipsis, FolderInput, Star, StarOff, Trash2, Wand, X } from 'lucide-react'
import { useHasQueue } from '#gallery/api/process-queue.ts'
import { countOf, formatBytes } from '#gallery/ui/count.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Menu, MenuItem } from '#gallery/ui/menu.tsx'
import { canDownload } from './download-images.ts'
import type { GridNow } from './grid-now.ts'
import { targetRecords } from './selected-images.ts'
import { countSelected, isNothing } from './selection.ts'
import { selectionCleared, useSelection } from './selection-store.ts'
import type { ImageActions } from './use-image-actions.ts'

interface SelectionBarProps {
  now: GridNow
  actions: ImageActions
}

/** How many images are selected, how large they are where that is known, and what can be done to them. */
export function SelectionBar({ now, actions }: SelectionBarProps) {
  const selection = useSelection()
  if (isNothing(selection)) return null
  const count = countSelected(selection, now.total)
  const records = targetRecords(now)
  const areAllStarred = records.length > 0 && records.every(({ starred }) => starred)
  const totalBytes = sizeOf(records, count)
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-(--foot,0px) flex justify-center p-3">
      <div
        role="toolbar"
        aria-label="Selection"
        className="pointer-events-auto flex max-w-full items-center gap-1 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-4 shadow-floating"
      >
        <p aria-live="polite" className="mr-2 whitespace-nowrap text-sm tabular-nums">
          <span className="font-semibold">{countOf(count, 'image')}</span>
          {totalBytes !== null && (
            <span className="ml-2 text-muted max-sm:hidden">{formatBytes(totalBytes)}</span>
          )}
        </p>
        <IconButton
          label={areAllStarred ? 'Unstar' : 'Star'}
          icon={areAllStarred ? StarOff : Star}
          onClick={actions.toggleStar}
        />
        <IconButton label="Move to board" icon={FolderInput} onClick={actions.move} />
        {canDownload(count) && (
          <IconButton label="Download" icon={Download} onClick={actions.download} />
        )}
        <IconButton label="Delete" icon={Trash2} onClick={actions.trash} />
        <QueueMenu actions={actions} />
        <span aria-hidden className="mx-1 h-5 w-px bg-line" />
        <IconButton label="Clear selection" icon={X} onClick={selectionCleared} />
      </div>
    </div>
  )
}

/** What the queue can do to them; nothing on a server that has none. */
function QueueMenu({ actions }: { actions: ImageActions }) {
  if (!useHasQueue()) return null
  return (
    <Menu align="end" trigger={<IconButton label="More" icon={Ellipsis} />}>
      <MenuItem icon={Copy} onSelect={actions.copy}>
        Copy to board…
      </MenuItem>
      <MenuItem icon={Wand} onSelect={actions.process}>
        Process…
      </MenuItem>
    </Menu>
  )
}

/** `null` where some of them are not loaded, or the server does not know sizes. */
function sizeOf(records: ReturnType<typeof targetRecords>, count: number): number | null {
  if (records.length !== count) return null
  let bytes = 0
  for (const { file_size } of records) {
    if (file_size === null) return null
    bytes += file_size
  }
  return bytes
}
