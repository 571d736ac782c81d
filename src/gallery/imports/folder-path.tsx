import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import type { FolderListing } from '#gallery/api/imports.ts'
import { folderNameOf } from './import-words.ts'

interface FolderPathProps {
  listing: FolderListing
  onOpen: (path: string) => void
}

/** Where the folder lies, from the root on: each name leads there. */
export function FolderPath({ listing, onOpen }: FolderPathProps) {
  return (
    <nav
      aria-label="Folder path"
      className="flex flex-wrap items-center gap-y-1 px-1 py-1.5 text-sm"
    >
      {listing.parents.map(({ name, path }) => (
        <Fragment key={path}>
          <button
            type="button"
            className="max-w-40 truncate rounded px-1.5 py-0.5 text-muted hover:bg-hover hover:text-ink pointer-coarse:py-2.5"
            onClick={() => onOpen(path)}
          >
            {name}
          </button>
          <ChevronRight aria-hidden size={14} className="shrink-0 text-muted" />
        </Fragment>
      ))}
      <span aria-current="location" className="max-w-60 truncate px-1.5 py-0.5 font-medium">
        {folderNameOf(listing.path)}
      </span>
    </nav>
  )
}
