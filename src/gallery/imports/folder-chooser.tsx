import type { UseQueryResult } from '@tanstack/react-query'
import { ChevronRight, Folder, FolderLock, FolderX } from 'lucide-react'
import { Fragment, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { FolderEntry, FolderListing } from '#gallery/api/imports.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { formatCount } from '#gallery/ui/text/count.ts'
import { folderNameOf, imagesAndVideos } from './import-words.ts'

interface FolderChooserProps {
  folder: Pick<UseQueryResult<FolderListing>, 'data' | 'error' | 'refetch'>
  /** undefined opens the home folder. */
  onOpen: (path: string | undefined) => void
}

/** A browser for the folders on the server's machine. */
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
            {imagesAndVideos(data.image_count, data.video_count)} directly in this folder
          </p>
        </>
      )}
    </div>
  )
}

interface ListingProps {
  listing: FolderListing
  onOpen: (path: string) => void
}

/** The path of the folder as links to its parents. */
function FolderPath({ listing, onOpen }: ListingProps) {
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

/** The subfolders with their image counts. One tab stop: arrow keys move the focus, Enter opens. */
function FolderList({ listing, onOpen }: ListingProps) {
  const list = useRef<HTMLUListElement>(null)
  const { rowProps, onKeyDown, open } = useFolderKeys(list, listing, onOpen)
  return (
    <ul
      ref={list}
      aria-label={`Folders in ${listing.path}`}
      // Takes the focus of keyboard users if the folder has no subfolders.
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
            <span className="shrink-0 text-muted text-xs tabular-nums">{noteOf(folder)}</span>
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

function noteOf({ is_readable, image_count, video_count }: FolderEntry): string {
  if (!is_readable) return 'No permission to read'
  const [images, videos] = [image_count ?? 0, video_count ?? 0]
  return images + videos === 0 ? '' : imagesAndVideos(images, videos)
}

/**
 * Roving tab index of the folder list. After a folder is opened from the list, the focus stays in the list.
 * After the parent is opened, the focus is on the previous folder.
 */
function useFolderKeys(
  list: RefObject<HTMLElement | null>,
  listing: FolderListing,
  onOpen: (path: string) => void,
) {
  const [focused, setFocused] = useState<string | null>(null)
  const paths = listing.folders.flatMap(({ path, is_readable }) => (is_readable ? [path] : []))
  const entry = focused !== null && paths.includes(focused) ? focused : paths[0]
  const at = entry === undefined ? -1 : paths.indexOf(entry)
  const rowOf = (path: string | undefined) =>
    [...(list.current?.querySelectorAll<HTMLElement>('[data-path]') ?? [])].find(
      ({ dataset }) => dataset.path === path,
    )
  const focusAt = (index: number) =>
    rowOf(paths[Math.min(Math.max(index, 0), paths.length - 1)])?.focus()
  const openParent = () => {
    const parent = listing.parents.at(-1)
    if (parent) open(parent.path)
  }
  const opensFromList = useRef(false)
  const open = (path: string) => {
    opensFromList.current = true
    onOpen(path)
  }

  const shown = useRef(listing.path)
  useEffect(() => {
    const left = shown.current
    shown.current = listing.path
    if (left === listing.path || !opensFromList.current) return
    opensFromList.current = false
    const next = rowOf(paths.includes(left) ? left : paths[0]) ?? list.current
    next?.focus()
  })

  // Not with the page's shortcuts, because arrow keys do not pass a dialog.
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: paths.length - 1 }[event.key]
    const isUp = event.key === 'ArrowLeft' || event.key === 'Backspace'
    if (next === undefined && !isUp) return
    event.preventDefault()
    if (next === undefined) openParent()
    else focusAt(next)
  }

  return {
    rowProps: ({ path }: FolderEntry) => ({
      tabIndex: path === entry ? 0 : -1,
      'data-path': path,
      onFocus: () => setFocused(path),
    }),
    /** Handler of the list: arrow keys, Home and End move the focus; Left and Backspace open the parent. */
    onKeyDown,
    /** Opens a folder from the list. */
    open,
  }
}
