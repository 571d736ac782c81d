import type { UseQueryResult } from '@tanstack/react-query'
import { FolderX } from 'lucide-react'
import type { FolderListing } from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { countOf } from '#gallery/ui/count.ts'
import { FolderList } from './folder-list.tsx'
import { FolderPath } from './folder-path.tsx'

interface FolderChooserProps {
  folder: Pick<UseQueryResult<FolderListing>, 'data' | 'error' | 'refetch'>
  /** `undefined`: the home folder. */
  onOpen: (path: string | undefined) => void
}

/** Walks through the folders of the server's machine. */
export function FolderChooser({ folder: { data, error, refetch }, onOpen }: FolderChooserProps) {
  return (
    <div className="flex h-64 min-h-40 flex-col rounded border border-line bg-surface">
      {error !== null && (
        <div role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 p-4">
          <FolderX aria-hidden size={22} strokeWidth={1.75} className="text-danger" />
          <p className="max-w-full break-words text-center text-danger text-sm">
            {reasonOf(error)}
          </p>
          <div className="flex gap-2">
            <Button onClick={() => void refetch()}>Try again</Button>
            <Button onClick={() => onOpen(undefined)}>Home folder</Button>
          </div>
        </div>
      )}
      {error === null && data === undefined && (
        <p role="status" className="m-auto text-muted text-sm">
          Reading the folder…
        </p>
      )}
      {error === null && data && (
        <>
          <FolderPath listing={data} onOpen={onOpen} />
          <div className="min-h-0 flex-1 overflow-y-auto border-line border-y">
            <FolderList listing={data} onOpen={onOpen} />
          </div>
          <p aria-live="polite" className="px-3 py-2 text-muted text-xs tabular-nums">
            {countOf(data.image_count, 'image')} directly in this folder
          </p>
        </>
      )}
    </div>
  )
}
