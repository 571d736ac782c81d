import {
  Archive,
  ArrowDownUp,
  ChartColumn,
  CopyCheck,
  EyeOff,
  Image,
  Images,
  Inbox,
  Plus,
  Search,
  Star,
  Trash2,
} from 'lucide-react'
import { useMemo } from 'react'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useSearches } from '#gallery/api/searches.ts'
import type { BoardOrder } from '#gallery/boards/order/board-order.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { choiceCommands, switchCommand } from '#gallery/ui/commands/setting-commands.ts'
import { closeSidebar, openSidebar } from '#gallery/ui/sidebar-store.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { STARRED } from '#gallery/url/place.ts'
import { insightsOf } from '#gallery/url/place-link.tsx'
import { ALL_BOARDS, DUPLICATES, searchKeyOf, TRASH } from '#gallery/url/place-order.ts'
import { currentPlace, goTo } from '#gallery/url/use-place.ts'
import {
  setArchiveShown,
  setBoardOrder,
  setPrivateHidden,
  startNewBoard,
  useArePrivateHidden,
  useChosenOrder,
  useIsArchiveShown,
} from './board-list-store.ts'
import { placeOfSearch } from './searches/search-place.ts'
import { useBoards } from './use-boards.ts'

/** Returns the orders that the server supports, and the one in use. */
export function useBoardOrders(): {
  options: { value: BoardOrder; label: string }[]
  order: BoardOrder
} {
  const hasLastAdded = useHasExtension('board_last_added')
  const hasPositions = useHasExtension('board_position')
  const chosen = useChosenOrder()
  const options: { value: BoardOrder; label: string }[] = [
    { value: 'created', label: 'Newest first' },
    ...(hasLastAdded ? [{ value: 'added' as const, label: 'Last added' }] : []),
    { value: 'name', label: 'Name' },
    { value: 'count', label: 'Most images first' },
    ...(hasPositions ? [{ value: 'hand' as const, label: 'By hand' }] : []),
  ]
  return { options, order: options.some(({ value }) => value === chosen) ? chosen : 'created' }
}

/** Registers the commands of the board list. They also work while the sidebar is a closed drawer. */
export function useBoardListCommands(): void {
  const isCompact = useIsCompact()
  const { options, order } = useBoardOrders()
  const orders = choiceCommands({
    id: 'boards.order',
    name: 'Sort boards',
    icon: ArrowDownUp,
    value: order,
    options,
    onChoose: setBoardOrder,
  })
  const isArchiveShown = useIsArchiveShown()
  const arePrivateHidden = useArePrivateHidden()
  useCommands('Boards', [
    {
      id: 'board.new',
      label: 'New board',
      icon: Plus,
      group: 'boards',
      keys: 'Shift+n',
      run: () => {
        if (isCompact) openSidebar()
        startNewBoard()
      },
    },
    ...orders,
    switchCommand(
      {
        id: 'boards.archived',
        label: 'Show archived boards',
        icon: Archive,
        isOn: isArchiveShown,
      },
      setArchiveShown,
    ),
    switchCommand(
      {
        id: 'boards.private',
        label: 'Hide private boards',
        icon: EyeOff,
        isOn: arePrivateHidden,
      },
      setPrivateHidden,
    ),
  ])
  const hasInsights = useHasExtension('image_insights')
  const insights: Command = {
    id: 'insights.toggle',
    label: 'Show or hide the insights',
    icon: ChartColumn,
    keys: 'Shift+I',
    run: () => {
      const place = currentPlace()
      goTo(place.page === null ? insightsOf(place) : { page: null, image: null })
      closeSidebar()
    },
  }
  useCommands('View', hasInsights ? [insights] : [])
}

/** Returns all places for the palette, in the order of the sidebar: saved searches come before the boards. */
export function usePalettePlaces() {
  const boards = useBoards()
  const searches = useSearches()
  const hasTrash = useHasExtension('trash')
  const hasStarred = useHasExtension('starred_filter')
  const hasDuplicates = useHasExtension('duplicates')
  return useMemo(() => {
    const open = (place: Parameters<typeof goTo>[0]) => () => {
      goTo(place)
      closeSidebar()
    }
    const placeOf = (id: string, name: string, icon = Image) => ({
      ...{ id, name, icon },
      open: open({ board: id, image: null, query: '' }),
    })
    return [
      placeOf(ALL_BOARDS, 'All images', Images),
      ...(hasStarred ? [placeOf(STARRED, 'Starred', Star)] : []),
      placeOf(UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME, Inbox),
      ...(hasDuplicates ? [placeOf(DUPLICATES, 'Duplicates', CopyCheck)] : []),
      ...(hasTrash ? [placeOf(TRASH, 'Trash', Trash2)] : []),
      ...(searches ?? []).map((search) => ({
        id: searchKeyOf(search.search_id),
        name: search.name,
        about: 'Saved search',
        icon: Search,
        open: open(placeOfSearch(search)),
      })),
      ...(boards ?? []).map(({ board_id, board_name }) => placeOf(board_id, board_name)),
    ]
  }, [boards, searches, hasTrash, hasStarred, hasDuplicates])
}
