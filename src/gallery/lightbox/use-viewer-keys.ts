import { useKeys } from '#gallery/ui/keys/keys.ts'
import { type Command, keysOfCommands } from '#gallery/ui/menu.tsx'
import type { Neighbours } from './standing.ts'
import { VIEWER_SCOPE, viewerKeys } from './viewer-keys.ts'

interface ViewerKeys {
  neighbours: Neighbours
  total: number
  show: (position: number | null) => void
  commands: readonly Command[]
  /** Opens the context menu. */
  onMenu: () => void
}

/** The keys of the viewer, except those of the zoom. */
export function useViewerKeys({ neighbours, total, show, commands, onMenu }: ViewerKeys): void {
  useKeys(
    VIEWER_SCOPE,
    [
      { ...viewerKeys.next, run: () => show(neighbours.next) },
      { ...viewerKeys.previous, run: () => show(neighbours.previous) },
      { ...viewerKeys.first, run: () => show(total > 0 ? 0 : null) },
      { ...viewerKeys.last, run: () => show(total > 0 ? total - 1 : null) },
      ...keysOfCommands(commands),
      { ...viewerKeys.menu, run: onMenu },
    ],
    { within: () => document.querySelector('[aria-label="Image viewer"]') },
  )
}
