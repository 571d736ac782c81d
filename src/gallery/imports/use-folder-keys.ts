import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { FolderEntry, FolderListing } from '#gallery/api/imports.ts'

/** What a row of the list needs to be part of one tab stop. */
interface RowProps {
  tabIndex: 0 | -1
  'data-path': string
  onFocus: () => void
}

interface FolderKeys {
  rowProps: (folder: FolderEntry) => RowProps
  /** Of the list: arrows, Home and End move; Left and Backspace lead up. */
  onKeyDown: (event: KeyboardEvent) => void
  /** Opens a folder from the list. */
  open: (path: string) => void
}

/**
 * One tab stop for the list of folders. Whoever opens one from the list goes on in it; on the way up the
 * focus is on the folder that was left.
 */
export function useFolderKeys(
  list: RefObject<HTMLElement | null>,
  listing: FolderListing,
  onOpen: (path: string) => void,
): FolderKeys {
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

  // Not by the page's keys: a dialog keeps arrows to itself.
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: paths.length - 1 }[event.key]
    const isUp = event.key === 'ArrowLeft' || event.key === 'Backspace'
    if (next === undefined && !isUp) return
    event.preventDefault()
    if (next === undefined) openParent()
    else focusAt(next)
  }

  const rowProps = ({ path }: FolderEntry): RowProps => ({
    tabIndex: path === entry ? 0 : -1,
    'data-path': path,
    onFocus: () => setFocused(path),
  })
  return { rowProps, onKeyDown, open }
}
