import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/** What the card needs of it. */
interface FocusProps {
  onFocus: (event: FocusEvent) => void
  onBlur: (event: FocusEvent) => void
}

/**
 * Keeps the focus in a card when the button that had it goes, as Pause does at the end. (React tells of no
 * blur of what it takes away itself.)
 */
export function useKeptFocus(card: RefObject<HTMLElement | null>): FocusProps {
  const hasFocus = useRef(false)
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) card.current?.focus()
  })
  return {
    onFocus: () => {
      hasFocus.current = true
    },
    onBlur: () => {
      hasFocus.current = false
    },
  }
}
