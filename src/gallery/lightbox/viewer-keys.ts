import { type ListedKey, listKeys, useKeys } from '#gallery/ui/keys/keys.ts'
import { type Command, keysOfCommands } from '#gallery/ui/menu.tsx'
import type { Neighbors } from './view-position.ts'

export const VIEWER_SCOPE = 'Image viewer'

/** The viewer's own shortcuts, listed before it is loaded. Those that it shares with the grid are listed there. */
export const viewerKeys = {
  next: { keys: 'ArrowRight', label: 'Next image' },
  previous: { keys: 'ArrowLeft', label: 'Previous image' },
  first: { keys: 'Home', label: 'First image' },
  last: { keys: 'End', label: 'Last image' },
  zoomIn: { keys: ['Shift++', '+', '='], label: 'Zoom in' },
  zoomOut: { keys: '-', label: 'Zoom out' },
  fit: { keys: '0', label: 'Fit to the window' },
  actualSize: { keys: '1', label: 'Actual size' },
  keepZoom: { keys: 'z', label: 'Keep zoom from image to image' },
  menu: { keys: ['Shift+F10', 'ContextMenu'], label: 'Menu' },
} as const satisfies Record<string, ListedKey>

listKeys(VIEWER_SCOPE, Object.values(viewerKeys))

interface ViewerKeys {
  neighbors: Neighbors
  total: number
  show: (position: number | null) => void
  commands: readonly Command[]
  onMenu: () => void
}

/** Registers the viewer's shortcuts, except those for the zoom. */
export function useViewerKeys({ neighbors, total, show, commands, onMenu }: ViewerKeys): void {
  useKeys(
    VIEWER_SCOPE,
    [
      { ...viewerKeys.next, run: () => show(neighbors.next) },
      { ...viewerKeys.previous, run: () => show(neighbors.previous) },
      { ...viewerKeys.first, run: () => show(total > 0 ? 0 : null) },
      { ...viewerKeys.last, run: () => show(total > 0 ? total - 1 : null) },
      ...keysOfCommands(commands),
      { ...viewerKeys.menu, run: onMenu },
    ],
    { within: () => document.querySelector('[aria-label="Image viewer"]') },
  )
}
