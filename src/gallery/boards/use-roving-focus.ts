import { type RefObject, useEffect, useRef, useState } from 'react'
import { useKeys } from '#gallery/ui/keys/keys.ts'

/** What a row needs to be part of one tab stop. */
export interface RovingFocus {
  /** Spread on what takes the focus of that item. */
  propsOf: (item: string) => {
    ref: (element: HTMLElement | null) => void
    tabIndex: 0 | -1
    onFocus: () => void
  }
  /** Moves the focus there, as soon as the row is drawn. */
  focus: (item: string) => void
}

/**
 * One tab stop for a list: arrows, Home and End move within it. A row that is not drawn yet, because
 * the list is virtual, takes the focus when it is.
 *
 * @param list - What holds all of it.
 * @param items - What can have the focus, in order.
 * @param current - Where Tab enters, until the focus was moved.
 * @param onReveal - Draws that item's row.
 */
export function useRovingFocus(
  list: RefObject<HTMLElement | null>,
  items: readonly string[],
  current: string,
  onReveal: (item: string) => void,
): RovingFocus {
  const [moved, setMoved] = useState<string | null>(null)
  const wanted = useRef<string | null>(null)
  const entry = [moved, current].find((item) => item !== null && items.includes(item)) ?? items[0]

  const focus = (item: string) => {
    wanted.current = item
    setMoved(item)
    onReveal(item)
  }

  useEffect(() => {
    // A board that was just made may come into the list only now.
    if (wanted.current !== null) onReveal(wanted.current)
  })

  const before = useRef(items)
  useEffect(() => {
    const old = before.current
    before.current = items
    if (moved === null || items.includes(moved) || !old.includes(moved)) return
    const next = items[Math.min(old.indexOf(moved), items.length - 1)]
    if (next === undefined) return
    setMoved(next)
    // What had the focus is gone, and the dialog that asked about it gives it back to nobody.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      wanted.current = next
      onReveal(next)
      setMoved(next)
      list.current?.querySelector<HTMLElement>(`a[tabindex="0"]`)?.focus()
    })
  })

  const index = entry === undefined ? -1 : items.indexOf(entry)
  const focusAt = (next: number) => {
    const item = items[Math.min(Math.max(next, 0), items.length - 1)]
    if (item !== undefined) focus(item)
  }
  useKeys(
    'Boards',
    [
      { keys: 'ArrowUp', label: 'Previous board', run: () => focusAt(index - 1) },
      { keys: 'ArrowDown', label: 'Next board', run: () => focusAt(index + 1) },
      { keys: 'Home', label: 'First board', run: () => focusAt(0) },
      { keys: 'End', label: 'Last board', run: () => focusAt(items.length - 1) },
    ],
    {
      within: () => list.current,
      when: ({ target }) => target instanceof Element && list.current?.contains(target) === true,
    },
  )

  return {
    focus,
    propsOf: (item) => ({
      // A new function at every render: it runs again for a row that was there before.
      ref: (element) => {
        if (element === null || wanted.current !== item) return
        wanted.current = null
        element.focus()
      },
      tabIndex: item === entry ? 0 : -1,
      onFocus: () => {
        wanted.current = null
        setMoved(item)
      },
    }),
  }
}
