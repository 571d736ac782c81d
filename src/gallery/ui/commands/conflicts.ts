import { canonicalKeys } from '#gallery/ui/keys/key-press.ts'
import { type ChangedKeys, keysOf } from '#gallery/ui/keys/key-settings.ts'
import type { ListedCommand } from './registry.ts'

/** Parts of the page that handle keys by focus or cover each other, so that each can have the same keys. */
const SEPARATE = [
  'Boards',
  'Images',
  'Image viewer',
  'Comparison',
  'Duplicates',
  'Queue',
  'History',
  'Properties',
  'Trash',
]

/** Returns true if both commands can act on the same key press. */
function canMeet(a: ListedCommand, b: ListedCommand): boolean {
  return a.scopes.some((one) =>
    b.scopes.some((two) => one === two || !SEPARATE.includes(one) || !SEPARATE.includes(two)),
  )
}

/**
 * Returns another command that these keys would run too, or undefined if they are free. Commands with the same default
 * keys are never reachable together, such as Delete in a board and in the trash.
 */
export function conflictOf(
  command: ListedCommand,
  keys: string,
  all: Iterable<ListedCommand>,
  changed: ChangedKeys,
): ListedCommand | undefined {
  const wanted = canonicalKeys(keys)
  for (const other of all) {
    if (other.id === command.id || !canMeet(command, other)) continue
    if (keysOf(other, {}).join() === keysOf(command, {}).join() && other.keys) continue
    if (keysOf(other, changed).some((one) => canonicalKeys(one) === wanted)) return other
  }
  return undefined
}
