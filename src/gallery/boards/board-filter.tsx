import { Search } from 'lucide-react'
import { filterTyped, useBoardFilter } from './board-list-store.ts'

/** Finds boards by what is typed. It is there when there are many. */
export function BoardFilter() {
  const filter = useBoardFilter()
  return (
    <div className="relative mx-2 mb-2 flex shrink-0 items-center">
      <Search aria-hidden size={14} className="pointer-events-none absolute left-3 text-muted" />
      <input
        type="search"
        aria-label="Filter boards"
        placeholder="Filter"
        value={filter}
        onChange={(event) => filterTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || filter === '') return
          event.preventDefault()
          filterTyped('')
        }}
        className="h-8 w-full rounded border border-line bg-surface pr-2 pl-8 text-sm placeholder:text-muted pointer-coarse:h-11"
      />
    </div>
  )
}
