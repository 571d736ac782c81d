import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { MAX_COUNTED_SEARCHES } from '#contract/limits.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { SavedSearch } from '#gallery/api/searches.ts'
import { NavRow, RowOptions } from '#gallery/boards/nav-row.tsx'
import type { RovingFocus } from '#gallery/boards/use-roving-focus.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useDragSource } from '#gallery/ui/drag/drag.ts'
import { useAutoScroll, useDropTarget, useEdgeDropTarget } from '#gallery/ui/drag/drop.ts'
import { ContextMenu } from '#gallery/ui/popups/context-menu.tsx'
import {
  CommandItems,
  createSharedMenu,
  SharedMenu,
  SharedMenuButton,
} from '#gallery/ui/popups/menu.tsx'
import { isolated } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import { searchKeyOf } from '#gallery/url/place-order.ts'
import { markOfSearch } from './mark-of-search.ts'
import { IconOfSearch } from './search-icons.ts'
import { placeOfSearch } from './search-place.ts'
import { askToRename } from './search-store.ts'
import { useVisibleRows } from './use-visible-rows.ts'

interface SearchRowsProps {
  roving: RovingFocus
  shown: readonly SavedSearch[]
  commandsOf: (search: SavedSearch) => Command[]
  moveTo: (search: SavedSearch, index: number) => void
}

const rowMenu = createSharedMenu<string>()

/** The rows of the saved searches. They load with the first saved search, because of their icons. */
export function SearchRows({ roving, shown, commandsOf, moveTo }: SearchRowsProps) {
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
  const mark = markOfSearch(search)
  useDragSource(row, () => ({ kind: 'search', searchId: search_id, name }))
  const { isOver } = useDropTarget(row, {
    kind: 'images',
    onDrop: (images) => (mark ? mark(images) : refuseDrop(search)),
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
          isDropTarget={isOver && mark !== null}
          focus={focus}
          onDoubleClick={() => askToRename(search)}
        >
          <SharedMenuButton menu={rowMenu} row={search_id} trigger={<RowOptions name={name} />} />
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
      'It shows what its conditions find. Only a search for starred images, for one rating or for one tag takes images, and gives them the star, the rating or the tag.',
  })
}
