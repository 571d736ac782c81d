import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Ellipsis } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { MAX_COUNTED_SEARCHES } from '#contract/limits.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { type SavedSearch, useSearches } from '#gallery/api/searches.ts'
import { NavRow } from '#gallery/boards/nav-row.tsx'
import type { RovingFocus } from '#gallery/boards/use-roving-focus.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { ContextMenu, openContextMenu } from '#gallery/ui/context-menu.tsx'
import { useDragSource } from '#gallery/ui/drag/drag.ts'
import { useAutoScroll, useDropTarget, useEdgeDropTarget } from '#gallery/ui/drag/drop.ts'
import { CommandItems, createSharedMenu, SharedMenu, SharedMenuButton } from '#gallery/ui/menu.tsx'
import { isolated } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toast.tsx'
import { searchKeyOf } from '#gallery/url/place-order.ts'
import { attempt, searchCommands } from './search-commands.ts'
import { IconOfSearch } from './search-icons.ts'
import { isOfStarred, placeOfSearch } from './search-place.ts'
import { askToRename, toggleSearches, useAreSearchesFolded } from './search-store.ts'
import { useVisibleRows } from './use-visible-rows.ts'

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
      {!isFolded && <SearchRows {...{ roving, shown, commandsOf, moveTo }} />}
    </section>
  )
}

interface SearchRowsProps extends Pick<SavedSearchesProps, 'roving'> {
  shown: readonly SavedSearch[]
  commandsOf: (search: SavedSearch) => Command[]
  moveTo: (search: SavedSearch, index: number) => void
}

const rowMenu = createSharedMenu<string>()

function SearchRows({ roving, shown, commandsOf, moveTo }: SearchRowsProps) {
  const api = useGallery()
  const list = useRef<HTMLDivElement>(null)
  const [menuId, setMenuId] = useState<string | null>(null)
  useAutoScroll(list)
  const byId = (id: string | null) => shown.find(({ search_id }) => search_id === id)
  const visible = useVisibleRows(
    list,
    shown.map(({ search_id }) => search_id),
  ).flatMap((id) => byId(id) ?? [])
  const { data: counts } = useQuery(api.searches.counts(visible.slice(0, MAX_COUNTED_SEARCHES)))
  const menuSearch = byId(menuId)
  return (
    <>
      <ContextMenu
        label={menuSearch?.name ?? 'Saved search'}
        heading={<bdi>{menuSearch?.name}</bdi>}
        onOpen={({ target }) => {
          const row =
            target instanceof Element ? target.closest<HTMLElement>('[data-search]') : null
          setMenuId(row?.dataset.search ?? null)
          return row
        }}
        opensByTouch
        area={
          <div
            ref={list}
            // Chromium makes a scroller without tabindex a tab stop, and it would have no accessible name.
            tabIndex={-1}
            className="px-2 outline-none not-short:max-h-[35vh] not-short:overflow-y-auto not-short:overscroll-contain"
          >
            <ul>
              {shown.map((search, index) => (
                <li key={search.search_id}>
                  <SearchRow
                    search={search}
                    count={counts?.get(search.search_id)}
                    focus={roving.propsOf(searchKeyOf(search.search_id))}
                    indexOf={(searchId) => shown.findIndex((one) => one.search_id === searchId)}
                    index={index}
                    onTake={(searchId, place) => {
                      const taken = byId(searchId)
                      if (taken) moveTo(taken, place)
                    }}
                  />
                </li>
              ))}
            </ul>
          </div>
        }
      >
        {menuSearch && <CommandItems commands={commandsOf(menuSearch)} />}
      </ContextMenu>
      <SharedMenu menu={rowMenu}>
        {(id) => {
          const search = byId(id)
          return search && <CommandItems commands={commandsOf(search)} />
        }}
      </SharedMenu>
    </>
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

interface SearchRowProps {
  search: SavedSearch
  /** undefined while it is not known. */
  count: number | undefined
  focus: ReturnType<RovingFocus['propsOf']>
  index: number
  indexOf: (searchId: string) => number
  /** Moves a search to an index among the others. */
  onTake: (searchId: string, index: number) => void
}

/** A saved search. It opens like a board, and can be dragged to another place in the list. */
function SearchRow({ search, count, focus, index, indexOf, onTake }: SearchRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const edges = useRef<HTMLDivElement>(null)
  const { search_id, name, icon } = search
  const takesImages = isOfStarred(search)
  useDragSource(row, () => ({ kind: 'search', searchId: search_id, name }))
  const { isOver } = useDropTarget(row, {
    kind: 'images',
    onDrop: ({ star }) => (takesImages ? star() : refuseDrop(search)),
  })
  /** Returns the place of another search that is dropped at an edge of this one, among the others. */
  const placeAt = (searchId: string, edge: 'before' | 'after') => {
    const from = indexOf(searchId)
    const to = edge === 'before' ? index : index + 1
    return from < to ? to - 1 : to
  }
  const edge = useEdgeDropTarget(edges, {
    kind: 'search',
    edgeAt: ({ searchId }, at) => {
      const wanted = at < 0.5 ? 'before' : 'after'
      const from = indexOf(searchId)
      return from >= 0 && placeAt(searchId, wanted) !== from ? wanted : null
    },
    onDrop: ({ searchId }, wanted) => onTake(searchId, placeAt(searchId, wanted)),
  })
  return (
    <div ref={edges} className="relative">
      <div ref={row} data-search={search_id}>
        <NavRow
          board={searchKeyOf(search_id)}
          search={placeOfSearch(search)}
          name={name}
          count={count}
          icon={<IconOfSearch icon={icon} />}
          isDropTarget={isOver && takesImages}
          focus={focus}
          onDoubleClick={() => askToRename(search)}
        >
          <SharedMenuButton
            menu={rowMenu}
            row={search_id}
            trigger={
              <IconButton
                label={`Options for ${name}`}
                icon={Ellipsis}
                tabIndex={-1}
                className="pointer-fine:opacity-0 pointer-fine:group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100 pointer-fine:data-popup-open:opacity-100"
              />
            }
          />
        </NavRow>
      </div>
      {edge !== null && (
        <div
          aria-hidden
          data-edge={edge}
          className={`pointer-events-none absolute inset-x-0 z-10 h-0.5 rounded-full bg-accent ${edge === 'before' ? '-top-px' : '-bottom-px'}`}
        />
      )}
    </div>
  )
}

const refuseDrop = ({ name }: SavedSearch): void => {
  showToast({
    title: `Images cannot be dropped on “${isolated(name)}”`,
    description:
      'It shows what its conditions find. Only a search for is:starred takes images: it stars them.',
  })
}
