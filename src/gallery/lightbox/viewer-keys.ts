import type { Command } from '#gallery/ui/commands/command.ts'
import { listCommands, useCommands } from '#gallery/ui/commands/registry.ts'
import type { Neighbors } from './view-position.ts'

export const VIEWER_SCOPE = 'Image viewer'

/** The viewer's own commands, listed before it is loaded. Those that it shares with the grid are listed there. */
export const viewerKeys = {
  next: { id: 'viewer.next', keys: 'ArrowRight', label: 'Next image' },
  previous: { id: 'viewer.previous', keys: 'ArrowLeft', label: 'Previous image' },
  first: { id: 'viewer.first', keys: 'Home', label: 'First image' },
  last: { id: 'viewer.last', keys: 'End', label: 'Last image' },
  zoomIn: { id: 'viewer.zoomIn', keys: ['Shift++', '+', '='], label: 'Zoom in' },
  zoomOut: { id: 'viewer.zoomOut', keys: '-', label: 'Zoom out' },
  fit: { id: 'viewer.fit', keys: '0', label: 'Fit to the window' },
  actualSize: { id: 'viewer.actualSize', keys: '1', label: 'Actual size' },
  keepZoom: { id: 'viewer.keepZoom', keys: 'z', label: 'Keep zoom from image to image' },
  menu: { id: 'viewer.menu', isKeyOnly: true, keys: ['Shift+F10', 'ContextMenu'], label: 'Menu' },
} as const satisfies Record<string, Omit<Command, 'run'>>

listCommands(VIEWER_SCOPE, Object.values(viewerKeys))

interface ViewerKeys {
  neighbors: Neighbors
  total: number
  show: (position: number | null) => void
  commands: readonly Command[]
  onMenu: () => void
}

/** Registers the viewer's commands, except those for the zoom. */
export function useViewerKeys({ neighbors, total, show, commands, onMenu }: ViewerKeys): void {
  useCommands(
    VIEWER_SCOPE,
    [
      { ...viewerKeys.next, run: () => show(neighbors.next) },
      { ...viewerKeys.previous, run: () => show(neighbors.previous) },
      { ...viewerKeys.first, run: () => show(total > 0 ? 0 : null) },
      { ...viewerKeys.last, run: () => show(total > 0 ? total - 1 : null) },
      ...commands,
      { ...viewerKeys.menu, run: onMenu },
    ],
    { within: () => document.querySelector('[aria-label="Image viewer"]') },
  )
}
