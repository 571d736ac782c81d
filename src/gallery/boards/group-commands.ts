import {
  Archive,
  ArchiveRestore,
  ChevronRight,
  ChevronsDownUp,
  ChevronsUpDown,
  FolderInput,
  PencilLine,
  Plus,
  Trash2,
} from 'lucide-react'
import { canChangeBoard } from '#gallery/api/boards/board-access.ts'
import type { Board } from '#gallery/api/boards/board-queries.ts'
import { isBeingMade } from '#gallery/api/boards/create-board.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import { groupsOf } from '#gallery/boards/order/board-tree.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import {
  askAboutGroup,
  foldAllGroups,
  setGroupFolded,
  startNewBoard,
  toggleGroup,
  unfoldAllGroups,
} from './board-list-store.ts'

/** Returns the boards of a group, at any depth, that the user may change. Archived and hidden ones are included. */
export const membersOf = (api: GalleryApi, boards: readonly Board[], path: string): Board[] =>
  boards.filter(
    (board) =>
      groupsOf(board.board_name).includes(path) &&
      !isBeingMade(board) &&
      canChangeBoard(api, board),
  )

/** Returns the paths of the groups inside a group. */
const groupsInside = (boards: readonly Board[], path: string): string[] => {
  const paths = boards.flatMap(({ board_name }) => {
    const groups = groupsOf(board_name)
    return groups.slice(groups.indexOf(path) + 1)
  })
  return [...new Set(paths)]
}

interface GroupCommandOptions {
  path: string
  /** All boards of the library. */
  boards: readonly Board[]
  isFolded: boolean
}

/** Returns the commands on a group of boards, for its menus and shortcuts. */
export function groupCommands(
  api: GalleryApi,
  { path, boards, isFolded }: GroupCommandOptions,
): Command[] {
  const members = membersOf(api, boards, path)
  const inside = groupsInside(members, path)
  const setAll = (areFolded: boolean) => {
    for (const group of [path, ...inside]) setGroupFolded(group, areFolded)
  }
  return [
    {
      id: 'group.newBoard',
      label: 'New board here',
      name: 'New board in the group',
      icon: Plus,
      group: 'new',
      run: () => startNewBoard(path),
    },
    ...(members.length === 0 ? [] : changesOf(api, path, members)),
    {
      id: 'group.toggle',
      label: isFolded ? 'Unfold' : 'Fold',
      name: 'Fold or unfold the group',
      icon: ChevronRight,
      group: 'fold',
      run: () => toggleGroup(path),
    },
    ...(inside.length === 0
      ? []
      : [
          {
            id: 'group.foldInside',
            label: 'Fold all inside',
            icon: ChevronsDownUp,
            group: 'fold',
            run: () => setAll(true),
          },
          {
            id: 'group.unfoldInside',
            label: 'Unfold all inside',
            icon: ChevronsUpDown,
            group: 'fold',
            run: () => setAll(false),
          },
        ]),
    {
      id: 'group.foldAll',
      label: 'Fold all groups',
      icon: ChevronsDownUp,
      group: 'fold',
      run: foldAllGroups,
    },
    {
      id: 'group.unfoldAll',
      label: 'Unfold all groups',
      icon: ChevronsUpDown,
      group: 'fold',
      run: unfoldAllGroups,
    },
    ...(members.length === 0 ? [] : [deletionOf(path)]),
  ]
}

const changesOf = (api: GalleryApi, path: string, members: readonly Board[]): Command[] => [
  {
    id: 'group.rename',
    label: 'Rename group…',
    name: 'Rename the group',
    icon: PencilLine,
    group: 'change',
    keys: 'F2',
    run: () => askAboutGroup('rename', path),
  },
  {
    id: 'group.move',
    label: 'Move into another group…',
    name: 'Move the group into another one',
    icon: FolderInput,
    group: 'change',
    run: () => askAboutGroup('move', path),
  },
  ...(members.some(({ archived }) => !archived)
    ? [
        {
          id: 'group.archive',
          label: 'Archive all',
          name: 'Archive all boards of the group',
          icon: Archive,
          group: 'change',
          run: () => void api.outbox.archiveGroup(path, members, true),
        },
      ]
    : []),
  ...(members.some(({ archived }) => archived)
    ? [
        {
          id: 'group.unarchive',
          label: 'Unarchive all',
          name: 'Unarchive all boards of the group',
          icon: ArchiveRestore,
          group: 'change',
          run: () => void api.outbox.archiveGroup(path, members, false),
        },
      ]
    : []),
]

const deletionOf = (path: string): Command => ({
  id: 'group.delete',
  label: 'Delete group…',
  name: 'Delete the group',
  icon: Trash2,
  group: 'delete',
  keys: 'Delete',
  isDanger: true,
  run: () => askAboutGroup('delete', path),
})
