import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '#gallery/ui/button.tsx'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { focusMain } from '#gallery/ui/keys/focus.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'

/** Delay between the last keystroke and the search, in milliseconds. */
const TYPING_PAUSE_MS = 200

/** Searches while the user types. The query is stored in the URL. */
export function SearchBox() {
  const { query } = usePlace()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(query)
  const [shownQuery, setShownQuery] = useState(query)
  // The URL changed by Back or by a link: update the box.
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

  useCommands('Anywhere', [
    {
      id: 'search',
      keys: '/',
      label: 'Search images',
      icon: Search,
      run: () => input.current?.focus(),
    },
  ])

  return (
    <search className="relative flex min-w-0 flex-1 items-center">
      <Search aria-hidden size={16} className="pointer-events-none absolute left-3 text-muted" />
      <input
        ref={input}
        type="search"
        aria-label="Search images"
        placeholder="Search"
        value={typed}
        enterKeyHint="search"
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(typed.trim(), query)
          if (event.key !== 'Escape') return
          event.preventDefault()
          setTyped('')
          search('', query)
          if (typed === '') focusMain()
        }}
        className="h-9 w-full min-w-0 rounded border border-line bg-surface pr-9 pl-9 text-sm placeholder:text-muted pointer-coarse:h-11 [&::-webkit-search-cancel-button]:hidden"
      />
      {typed !== '' && (
        <IconButton
          label="Clear search"
          icon={X}
          className="absolute right-0.5"
          onClick={() => {
            setTyped('')
            search('', query)
            input.current?.focus()
          }}
        />
      )}
    </search>
  )
}

/** Starting or clearing a search adds a history entry; changing the words does not. */
function search(query: string, before: string): void {
  goTo({ query, image: null }, { replace: before !== '' && query !== '' })
}
