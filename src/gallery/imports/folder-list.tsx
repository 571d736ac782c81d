import { Folder, FolderLock } from 'lucide-react'
import { useRef } from 'react'
import type { FolderEntry, FolderListing } from '#gallery/api/imports.ts'
import { countOf, formatCount } from '#gallery/ui/count.ts'
import { useFolderKeys } from './use-folder-keys.ts'

interface FolderListProps {
  listing: FolderListing
  onOpen: (path: string) => void
}

/** The folders in a folder, each with how many images lie in it. One tab stop: arrows move, Enter opens. */
export function FolderList({ listing, onOpen }: FolderListProps) {
  const list = useRef<HTMLUListElement>(null)
  const { rowProps, onKeyDown, open } = useFolderKeys(list, listing, onOpen)
  return (
    <ul
      ref={list}
      aria-label={`Folders in ${listing.path}`}
      // Where a folder has none in it, whoever came by keys is on the list itself.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="min-h-full p-1 -outline-offset-2"
    >
      {listing.folders.length === 0 && (
        <li className="p-4 text-center text-muted text-sm">No subfolders</li>
      )}
      {listing.folders.map((folder) => (
        <li key={folder.path}>
          <button
            type="button"
            disabled={!folder.is_readable}
            className="flex min-h-9 w-full items-center gap-2 rounded px-2 text-left text-sm -outline-offset-2 hover:bg-hover disabled:cursor-default disabled:text-muted disabled:hover:bg-transparent pointer-coarse:min-h-11"
            onClick={() => open(folder.path)}
            {...rowProps(folder)}
          >
            <FolderIcon folder={folder} />
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {folder.name}
            </span>
            <span className="shrink-0 text-muted text-xs tabular-nums">{inWords(folder)}</span>
          </button>
        </li>
      ))}
      {listing.left_out > 0 && (
        <li className="px-2 py-2 text-muted text-sm">
          {formatCount(listing.left_out)} more. Type the path above to open one of them.
        </li>
      )}
    </ul>
  )
}

function FolderIcon({ folder }: { folder: FolderEntry }) {
  const Icon = folder.is_readable ? Folder : FolderLock
  return <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
}

function inWords({ is_readable, image_count }: FolderEntry): string {
  if (!is_readable) return 'No permission to read'
  return image_count === null || image_count === 0 ? '' : countOf(image_count, 'image')
}
