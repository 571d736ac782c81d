import type { Command } from '#gallery/ui/commands/command.ts'
import { listCommands } from '#gallery/ui/commands/registry.ts'

export const DUPLICATES_SCOPE = 'Duplicates'

/** The commands of the duplicates, listed before their page is loaded. */
export const groupKeys = {
  keep: {
    id: 'duplicates.keep',
    keys: 'k',
    label: 'Keep this one',
    name: 'Keep this image of the group',
  },
  resolve: {
    id: 'duplicates.resolve',
    keys: 'Delete',
    label: 'Delete the others of the group',
  },
  dismiss: { id: 'duplicates.dismiss', keys: 'n', label: 'Not duplicates' },
  compare: { id: 'duplicates.compare', keys: 'c', label: 'Compare the group' },
  open: { id: 'duplicates.open', keys: 'Enter', label: 'Open the image of the group' },
  next: { id: 'duplicates.next', keys: 'ArrowRight', label: 'Next image', isKeyOnly: true },
  previous: {
    id: 'duplicates.previous',
    keys: 'ArrowLeft',
    label: 'Previous image',
    isKeyOnly: true,
  },
  nextGroup: {
    id: 'duplicates.nextGroup',
    keys: 'ArrowDown',
    label: 'Next group',
    isKeyOnly: true,
  },
  previousGroup: {
    id: 'duplicates.previousGroup',
    keys: 'ArrowUp',
    label: 'Previous group',
    isKeyOnly: true,
  },
} as const satisfies Record<string, Omit<Command, 'run'>>

listCommands(DUPLICATES_SCOPE, Object.values(groupKeys))
