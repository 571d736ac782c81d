import { useEffect, useState } from 'react'
import { goTo, usePlace } from '#gallery/url/use-place.ts'

/** Delay between the last keystroke and the search, in milliseconds. */
const TYPING_PAUSE_MS = 200

interface SearchText {
  typed: string
  setTyped: (typed: string) => void
  /** Searches for a text without waiting for more keystrokes. */
  searchNow: (text: string) => void
  clear: () => void
}

/** The text in the search field. It is searched for while the user types, and stored in the URL. */
export function useSearchText(): SearchText {
  const { query } = usePlace()
  const [typed, setTyped] = useState(query)
  const [shownQuery, setShownQuery] = useState(query)
  // The URL changed by Back or by a link: update the field.
  if (query !== shownQuery) {
    setShownQuery(query)
    if (query !== typed.trim()) setTyped(query)
  }

  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === query) return
    const timer = setTimeout(() => search(wanted, query), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, query])

  const searchNow = (text: string) => search(text.trim(), query)
  const clear = () => {
    setTyped('')
    searchNow('')
  }
  return { typed, setTyped, searchNow, clear }
}

/** Starting or clearing a search adds a history entry; changing the words does not. */
function search(query: string, before: string): void {
  if (query !== before) goTo({ query, image: null }, { replace: before !== '' && query !== '' })
}
