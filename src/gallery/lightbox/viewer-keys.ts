import { type ListedKey, listKeys } from '#gallery/ui/keys/keys.ts'

export const VIEWER_SCOPE = 'Image viewer'

/**
 * The keys of the viewer alone, listed before the viewer is loaded. Those that it shares with the grid are
 * listed with the grid's.
 */
export const viewerKeys = {
  next: { keys: 'ArrowRight', label: 'Next image' },
  previous: { keys: 'ArrowLeft', label: 'Previous image' },
  first: { keys: 'Home', label: 'First image' },
  last: { keys: 'End', label: 'Last image' },
  zoomIn: { keys: ['Shift++', '+', '='], label: 'Zoom in' },
  zoomOut: { keys: '-', label: 'Zoom out' },
  fit: { keys: '0', label: 'Fit to the window' },
  actualSize: { keys: '1', label: 'Actual size' },
  menu: { keys: ['Shift+F10', 'ContextMenu'], label: 'Menu' },
} as const satisfies Record<string, ListedKey>

listKeys(VIEWER_SCOPE, Object.values(viewerKeys))
