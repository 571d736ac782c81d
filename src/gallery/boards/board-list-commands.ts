import {
  Archive,
  ArrowDownUp,
  ChevronRight,
  ChevronsDownUp,
  ChevronsUpDown,
  Image,
  Images,
  Inbox,
  Plus,
  Star,
  Trash2,
} from 'lucide-react'
import { useMemo } from 'react'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { choiceCommands, switchCommand } from '#gallery/ui/commands/setting-commands.ts'
import { closeSidebar, openSidebar } from '#gallery/ui/sidebar-store.ts'
import { useIsCompact } from '#gallery/ui/use-media.ts'
import { STARRED, TRASH } from '#gallery/url/place.ts'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { goTo } from '#gallery/url/use-place.ts'
import {
  foldAllGroups,
  setArchiveShown,
  setBoardOrder,
  startNewBoard,
  toggleGroup,
  unfoldAllGroups,
  useBoardOrder,
  useIsArchiveShown,
} from './board-list-store.ts'
import { useBoards } from './use-boards.ts'

export const BOARD_ORDERS = [
  { value: 'created', label: 'Newest first' },
  { value: 'name', label: 'Name' },
  { value: 'count', label: 'Most images first' },
] as const

/** Registers the commands of the board list. They also work while the sidebar is a closed drawer. */
export function useBoardListCommands(): void {
  const isCompact = useIsCompact()
  const orders = choiceCommands({
    id: 'boards.order',
    name: 'Sort boards',
    icon: ArrowDownUp,
    value: useBoardOrder(),
    options: BOARD_ORDERS,
    onChoose: setBoardOrder,
  })
  const isOn = useIsArchiveShown()
  const archive = { id: 'boards.archived', label: 'Show archived boards', icon: Archive, isOn }
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
    switchCommand(archive, setArchiveShown),
  ])
}

/** Returns all places for the palette: All images, the starred ones, Assets, the boards and the trash. */
export function usePalettePlaces() {
  const boards = useBoards()
  const hasTrash = useHasExtension('trash')
  const hasStarred = useHasExtension('starred_filter')
  return useMemo(() => {
    const placeOf = (id: string, name: string, icon = Image) => ({
      id,
      name,
      icon,
      open: () => {
        goTo({ board: id, image: null, query: '' })
        closeSidebar()
      },
    })
    return [
      placeOf(ALL_BOARDS, 'All images', Images),
      ...(hasStarred ? [placeOf(STARRED, 'Starred', Star)] : []),
      placeOf(UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME, Inbox),
      ...(hasTrash ? [placeOf(TRASH, 'Trash', Trash2)] : []),
      ...(boards ?? []).map(({ board_id, board_name }) => placeOf(board_id, board_name)),
    ]
  }, [boards, hasTrash, hasStarred])
}

/** Returns the commands on a group of boards. */
export const groupCommands = (path: string, isFolded: boolean): Command[] => [
  {
    id: 'foldGroup',
    label: isFolded ? 'Unfold' : 'Fold',
    icon: ChevronRight,
    group: 'fold',
    run: () => toggleGroup(path),
  },
  {
    id: 'foldAllGroups',
    label: 'Fold all groups',
    icon: ChevronsDownUp,
    group: 'fold',
    run: foldAllGroups,
  },
  {
    id: 'unfoldAllGroups',
    label: 'Unfold all groups',
    icon: ChevronsUpDown,
    group: 'fold',
    run: unfoldAllGroups,
  },
  {
    id: 'newBoardInGroup',
    label: 'New board here',
    icon: Plus,
    group: 'new',
    run: () => startNewBoard(path),
  },
]
