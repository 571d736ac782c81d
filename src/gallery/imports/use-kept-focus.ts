import { type RefObject, useEffect, useRef } from 'react'

/** Keeps the focus in a card when the button that had it goes, as Pause does at the end. */
export function useKeptFocus(card: RefObject<HTMLElement | null>): void {
  const hadFocus = useRef(false)
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) card.current?.focus()
    hadFocus.current = card.current?.contains(document.activeElement) ?? false
  })
}
