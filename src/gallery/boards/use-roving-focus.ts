import { type RefObject, useEffect, useRef, useState } from 'react'
import { useCommands } from '#gallery/ui/commands/registry.ts'

/** Controls the focus of the rows in a single tab stop. */
export type RovingFocus = ReturnType<typeof useRovingFocus>

/**
 * Makes a list a single tab stop: arrow keys, Home and End move within it. In a virtual list, a row that is not
 * rendered yet gets the focus once it is.
 *
 * @param list - The element that contains all items.
 * @param items - The focusable items, in order.
 * @param current - The item that is open. Tab enters there, until the focus was moved.
 * @param onReveal - Scrolls to an item, so that its row is rendered.
 */
export function useRovingFocus(
  list: RefObject<HTMLElement | null>,
  items: readonly string[],
  current: string,
  onReveal: (item: string) => void,
) {
  const [moved, setMoved] = useState<string | null>(null)
  const wanted = useRef<string | null>(null)
  const entry = [moved, current].find((item) => item !== null && items.includes(item)) ?? items[0]

  const focus = (item: string) => {
    wanted.current = item
    setMoved(item)
    onReveal(item)
  }

  useEffect(() => {
    // A newly created board may be added to the list only now.
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
    // The focused item was removed, and the dialog that confirmed it cannot restore the focus.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      wanted.current = next
      onReveal(next)
      setMoved(next)
      list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    })
  })

  const index = entry === undefined ? -1 : items.indexOf(entry)
  const focusAt = (next: number) => {
    const item = items[Math.min(Math.max(next, 0), items.length - 1)]
    if (item !== undefined) focus(item)
  }
  useCommands(
    'Boards',
    [
      {
        id: 'board.previous',
        isKeyOnly: true,
        keys: 'ArrowUp',
        label: 'Previous board',
        run: () => focusAt(index - 1),
      },
      {
        id: 'board.next',
        isKeyOnly: true,
        keys: 'ArrowDown',
        label: 'Next board',
        run: () => focusAt(index + 1),
      },
      {
        id: 'board.first',
        isKeyOnly: true,
        keys: 'Home',
        label: 'First board',
        run: () => focusAt(0),
      },
      {
        id: 'board.last',
        isKeyOnly: true,
        keys: 'End',
        label: 'Last board',
        run: () => focusAt(items.length - 1),
      },
    ],
    {
      within: () => list.current,
      when: ({ target }) => target instanceof Element && list.current?.contains(target) === true,
    },
  )

  return {
    /** Moves the focus to an item once its row is rendered. */
    focus,
    /** Returns the props of the focusable element of an item. */
    propsOf: (item: string) => ({
      // A new function on each render, so that React calls it again for existing rows.
      ref: (element: HTMLElement | null) => {
        if (element === null || wanted.current !== item) return
        wanted.current = null
        element.focus()
      },
      tabIndex: item === entry ? 0 : -1,
      'aria-current': item === current ? ('page' as const) : undefined,
      onFocus: () => {
        wanted.current = null
        setMoved(item)
      },
    }),
  }
}
