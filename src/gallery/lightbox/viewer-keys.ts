import type { Command } from '#gallery/ui/commands/command.ts'
import { listCommands, useCommands } from '#gallery/ui/commands/registry.ts'
import { canonicalKeys, keysOfPress } from '#gallery/ui/keys/key-press.ts'
import { zoomKeysOf } from '#gallery/ui/stage/zoom-keys.ts'
import type { Neighbors } from './view-position.ts'

export const VIEWER_SCOPE = 'Image viewer'

/** The viewer's own commands, listed before it is loaded. Those that it shares with the grid are listed there. */
export const viewerKeys = {
  next: { id: 'viewer.next', keys: 'ArrowRight', label: 'Next image' },
  previous: { id: 'viewer.previous', keys: 'ArrowLeft', label: 'Previous image' },
  first: { id: 'viewer.first', keys: 'Home', label: 'First image' },
  last: { id: 'viewer.last', keys: 'End', label: 'Last image' },
  ...zoomKeysOf('viewer'),
  keepZoom: { id: 'viewer.keepZoom', keys: 'z', label: 'Keep zoom from image to image' },
  pickColor: { id: 'viewer.pickColor', keys: 'Shift+H', label: 'Pick a color' },
  play: { id: 'viewer.play', keys: ['Space', 'k'], label: 'Play or pause the video' },
  mute: { id: 'viewer.mute', keys: 'm', label: 'Mute' },
  loop: { id: 'viewer.loop', keys: 'o', label: 'Loop' },
  previousFrame: { id: 'viewer.previousFrame', keys: ',', label: 'Previous frame' },
  nextFrame: { id: 'viewer.nextFrame', keys: '.', label: 'Next frame' },
  back: { id: 'viewer.back', keys: 'Shift+ArrowLeft', label: 'Back 5 seconds' },
  forward: { id: 'viewer.forward', keys: 'Shift+ArrowRight', label: 'Forward 5 seconds' },
  slower: { id: 'viewer.slower', keys: '<', label: 'Slower' },
  faster: { id: 'viewer.faster', keys: '>', label: 'Faster' },
  saveFrame: { id: 'viewer.saveFrame', keys: 'e', label: 'Save this frame as an image' },
  chooseFrame: {
    id: 'viewer.chooseFrame',
    keys: 'Shift+T',
    label: 'Use this frame as the thumbnail',
  },
  copyFrame: { id: 'viewer.copyFrame', keys: 'Shift+C', label: 'Copy frame' },
  menu: { id: 'viewer.menu', isKeyOnly: true, keys: ['Shift+F10', 'ContextMenu'], label: 'Menu' },
} as const satisfies Record<string, Omit<Command, 'run'>>

listCommands(VIEWER_SCOPE, Object.values(viewerKeys))

export const viewerElement = (): Element | null =>
  document.querySelector('[aria-label="Image viewer"]')

interface ViewerKeys {
  neighbors: Neighbors
  total: number
  show: (position: number | null) => void
  commands: readonly Command[]
  onMenu: () => void
  /** The keys that a video has instead. */
  videoKeys: readonly string[]
}

/** Registers the viewer's commands, except those for the zoom. */
export function useViewerKeys(options: ViewerKeys): void {
  const { neighbors, total, show, commands, onMenu, videoKeys } = options
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
    { within: viewerElement, when: (event) => !areOneOf(keysOfPress(event), videoKeys) },
  )
}

/** Returns true if keys are the same as others in the list. */
export const areOneOf = (keys: string | null, others: readonly string[]): boolean =>
  keys !== null && others.some((one) => canonicalKeys(one) === canonicalKeys(keys))
