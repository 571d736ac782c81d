import type { Command } from '#gallery/ui/commands/command.ts'
import { listCommands } from '#gallery/ui/commands/registry.ts'
import { zoomKeysOf } from '#gallery/ui/stage/zoom-keys.ts'

export const COMPARE_SCOPE = 'Comparison'

/** The commands of the comparison, listed before it is loaded. Those that it shares with the grid are listed there. */
export const compareKeys = {
  next: {
    id: 'compare.next',
    isKeyOnly: true,
    keys: ['ArrowRight', 'ArrowDown'],
    label: 'Next image',
  },
  previous: {
    id: 'compare.previous',
    isKeyOnly: true,
    keys: ['ArrowLeft', 'ArrowUp'],
    label: 'Previous image',
  },
  open: { id: 'compare.open', keys: 'Enter', label: 'Open in the viewer' },
  keep: {
    id: 'compare.keep',
    keys: 'k',
    label: 'Keep this one',
    name: 'Keep this image and delete the others',
  },
  win: { id: 'compare.win', keys: 'k', label: 'This one wins' },
  back: { id: 'compare.back', keys: 'Backspace', label: 'Previous match' },
  remove: { id: 'compare.remove', keys: 'x', label: 'Remove from the comparison' },
  differences: { id: 'compare.differences', keys: 'i', label: 'Differences' },
  link: { id: 'compare.link', keys: 'l', label: 'Zoom all together' },
  ...zoomKeysOf('compare'),
  side: { id: 'compare.side', keys: 'g', label: 'Side by side' },
  slider: { id: 'compare.slider', keys: 'w', label: 'Slider' },
  blink: { id: 'compare.blink', keys: 'b', label: 'Blink', name: 'Blink while the key is held' },
  difference: { id: 'compare.difference', keys: 'd', label: 'Difference of the pixels' },
} as const satisfies Record<string, Omit<Command, 'run'>>

listCommands(COMPARE_SCOPE, Object.values(compareKeys))

export const comparisonElement = (): Element | null =>
  document.querySelector('[role=dialog][aria-label="Comparison"]')
