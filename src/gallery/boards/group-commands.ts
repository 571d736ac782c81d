import { ChevronRight, ChevronsDownUp, ChevronsUpDown, Plus } from 'lucide-react'
import type { Command } from '#gallery/ui/commands/command.ts'
import { foldAllGroups, startNewBoard, toggleGroup, unfoldAllGroups } from './board-list-store.ts'

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
