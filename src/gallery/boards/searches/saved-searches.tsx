import { ChevronRight } from 'lucide-react'
import { type RefObject, Suspense } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type SavedSearch, useSearches } from '#gallery/api/searches.ts'
import type { RovingFocus } from '#gallery/boards/use-roving-focus.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { openContextMenu } from '#gallery/ui/popups/context-menu.tsx'
import { searchKeyOf } from '#gallery/url/place-order.ts'
import { attempt, searchCommands } from './search-commands.ts'
import { toggleSearches, useAreSearchesFolded } from './search-store.ts'

/** Loads when there is a saved search. */
const SearchRows = lazyPart(async () => (await import('./search-rows.tsx')).SearchRows)

const NONE: readonly SavedSearch[] = []

/** Returns the saved searches whose rows are shown: none while the section is folded. */
export function useShownSearches(): readonly SavedSearch[] {
  const searches = useSearches() ?? NONE
  return useAreSearchesFolded() ? NONE : searches
}

interface SavedSearchesProps {
  nav: RefObject<HTMLElement | null>
  roving: RovingFocus
}

/** The saved searches of the sidebar, with their counts. Nothing is shown until there is one. */
export function SavedSearches({ nav, roving }: SavedSearchesProps) {
  const api = useGallery()
  const count = useSearches()?.length ?? 0
  const isFolded = useAreSearchesFolded()
  const shown = useShownSearches()
  const moveTo = (search: SavedSearch, index: number) => {
    void attempt(search, 'moved', () => api.searches.move(search, index))
    // An element that moves in the document loses the focus.
    if (document.activeElement?.closest('[data-search]'))
      roving.focus(searchKeyOf(search.search_id))
  }
  const commandsOf = (search: SavedSearch): Command[] =>
    searchCommands(api, search, {
      index: shown.indexOf(search),
      count: shown.length,
      moveTo: (index) => moveTo(search, index),
    })
  useSearchKeys(nav, shown, commandsOf)
  if (count === 0) return null
  return (
    <section aria-label="Saved searches" className="flex shrink-0 flex-col">
      <h2 className="px-2 pt-3 font-medium text-muted text-xs">
        <button
          type="button"
          aria-expanded={!isFolded}
          onClick={toggleSearches}
          className="flex h-8 w-full items-center gap-1 rounded px-2 hover:bg-hover pointer-coarse:h-11"
        >
          Saved searches
          <ChevronRight
            aria-hidden
            size={14}
            className={`transition-transform motion-reduce:transition-none ${isFolded ? '' : 'rotate-90'}`}
          />
        </button>
      </h2>
      {!isFolded && (
        <Suspense fallback={null}>
          <SearchRows {...{ roving, shown, commandsOf, moveTo }} />
        </Suspense>
      )}
    </section>
  )
}

/** Stands for any search: all have the same commands. */
const ANY_SEARCH: SavedSearch = {
  ...{ search_id: '', name: '', icon: null, query: '', filter: null, position: null },
  ...{ created_at: '', updated_at: '' },
}

/**
 * Registers the shortcuts of the focused search: those of its commands, and one that opens its menu. Also while there
 * is no search, so that they come before the keys of the grid, which has some of the same.
 */
function useSearchKeys(
  nav: RefObject<HTMLElement | null>,
  shown: readonly SavedSearch[],
  commandsOf: (search: SavedSearch) => Command[],
): void {
  const isOffered = useHasExtension('saved_searches')
  const searchAt = (target: EventTarget | null) => {
    if (!(target instanceof Element) || !nav.current?.contains(target)) return undefined
    const row = target.closest<HTMLElement>('[data-search]')
    return shown.find(({ search_id }) => search_id === row?.dataset.search)
  }
  const ofFocused = commandsOf(ANY_SEARCH).map((command): Command => {
    const run = (event?: KeyboardEvent) => {
      const search = event && searchAt(event.target)
      if (!search) return
      commandsOf(search)
        .find(({ id }) => id === command.id)
        ?.run()
    }
    return { ...command, run }
  })
  const menu: Command = {
    id: 'search.menu',
    isKeyOnly: true,
    keys: 'ArrowRight',
    label: 'Options',
    run: (event) => event && openContextMenu(event.target),
  }
  useCommands('Boards', isOffered ? [...ofFocused, menu] : [], {
    within: () => nav.current,
    when: ({ target }) => searchAt(target) !== undefined,
    now: () => {
      const search = searchAt(document.activeElement)
      return search ? commandsOf(search).map((command) => ({ ...command, about: search.name })) : []
    },
  })
}
