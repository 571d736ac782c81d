import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FolderEntry, FolderListing } from '#gallery/api/imports.ts'
import { useKeys } from '#gallery/ui/keys.ts'

/** What a row of the list needs to be part of one tab stop. */
interface RowProps {
  tabIndex: 0 | -1
  'data-path': string
  onFocus: () => void
}

/**
 * One tab stop for the list of folders. Whoever opens one from the list goes on in it; on the way up the
 * focus is on the folder that was left.
 *
 * @returns What a row needs, and what opens a folder from the list.
 */
export function useFolderKeys(
  list: RefObject<HTMLElement | null>,
  listing: FolderListing,
  onOpen: (path: string) => void,
): { rowProps: (folder: FolderEntry) => RowProps; open: (path: string) => void } {
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
  const goesOn = useRef(false)
  const open = (path: string) => {
    goesOn.current = true
    onOpen(path)
  }

  const shown = useRef(listing.path)
  useEffect(() => {
    const left = shown.current
    shown.current = listing.path
    if (left === listing.path || !goesOn.current) return
    goesOn.current = false
    const next = rowOf(paths.includes(left) ? left : paths[0]) ?? list.current
    next?.focus()
  })

  useKeys(
    'Folders',
    [
      { keys: 'ArrowUp', label: 'Go to the folder above', run: () => focusAt(at - 1) },
      { keys: 'ArrowDown', label: 'Go to the folder below', run: () => focusAt(at + 1) },
      { keys: 'Home', label: 'Go to the first', run: () => focusAt(0) },
      { keys: 'End', label: 'Go to the last', run: () => focusAt(paths.length - 1) },
      {
        keys: ['Backspace', 'ArrowLeft'],
        label: 'Open the folder that this one lies in',
        run: openParent,
      },
    ],
    {
      within: () => list.current,
      when: ({ target }) => list.current?.contains(target as Node) ?? false,
    },
  )

  const rowProps = ({ path }: FolderEntry): RowProps => ({
    tabIndex: path === entry ? 0 : -1,
    'data-path': path,
    onFocus: () => setFocused(path),
  })
  return { rowProps, open }
}
