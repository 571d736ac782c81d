import { X } from 'lucide-react'
import { memo, useState } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useHasQueue } from '#gallery/api/queue/queue-queries.ts'
import { gridState } from '#gallery/images/grid-state.ts'
import { imageCommands, keyState } from '#gallery/images/image-commands.ts'
import { countSelected, isNothing } from '#gallery/images/selection/selection.ts'
import {
  clearSelection,
  currentCursor,
  currentSelection,
  type GridItem,
  moveCursor,
  selectImage,
  selectRange,
  toggleImage,
} from '#gallery/images/selection/selection-store.ts'
import type { GridActions } from '#gallery/images/use-image-actions.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import type { GridHandle } from './grid-handle.ts'
import { type GridNow, isInSight, loadedRecord, seenRange, showPosition } from './grid-now.ts'
import { ColumnMemory, type StepKey } from './grid-steps.ts'

interface GridKeysProps {
  grid: GridHandle
  actions: GridActions
  onOpen: (imageName: string) => void
}

/** Keys that move the focus. Their IDs contain the default keys. */
const steps: readonly [StepKey, string][] = [
  ['ArrowLeft', 'previous image'],
  ['ArrowRight', 'next image'],
  ['ArrowUp', 'row above'],
  ['ArrowDown', 'row below'],
  ['PageUp', 'screen above'],
  ['PageDown', 'screen below'],
  ['Home', 'first image'],
  ['End', 'last image'],
]

/**
 * Registers the grid's shortcuts. Shortcuts for the focused image work only while the focus is in the grid or on a part
 * around it. A separate component, because the grid renders whenever it scrolls.
 */
export const GridKeys = memo(function GridKeys(props: GridKeysProps) {
  const { grid, actions, onOpen } = props
  const api = useGallery()
  const [columns] = useState(() => new ColumnMemory())
  const hasQueue = useHasQueue()
  const has = {
    hasQueue,
    hasRatings: useHasExtension('ratings'),
    hasTags: useHasExtension('tags'),
    hasLikeness: useHasExtension('likeness'),
    canConvert: useHasExtension('download_options'),
  }
  // Enter opens the focused image even if several are selected.
  const { open: _, ...ofTargets } = actions
  /** Runs an action on the focused image. If the image is off screen, the key only scrolls it back into view. */
  const withFocus = (act: (item: GridItem) => void) => () => {
    const cursor = currentCursor()
    if (!cursor || !loadedRecord(grid.now, cursor.position)) return
    if (isInSight(grid.now, cursor.position)) act(cursor)
    else showPosition(grid.now, cursor.position)
  }
  const selectTo = (item: GridItem) =>
    selectRange(item, (position) => loadedRecord(grid.now, position))
  const open = (item: GridItem) => {
    const hasSeveral = countSelected(currentSelection(), grid.now.total) > 1
    if (!hasSeveral) selectImage(item)
    onOpen(item.imageName)
  }
  const moves = steps.flatMap(([key, label]): Command[] => {
    const move = (choose: (item: GridItem) => void) => () => {
      grid.element?.focus({ preventScroll: true })
      step(grid.now, key, columns, choose)
    }
    return [
      stepCommand(key, `Select ${label}`, move(selectImage)),
      stepCommand(`Shift+${key}`, `Extend the selection to ${label}`, move(selectTo)),
      stepCommand(`$mod+${key}`, `Move the focus to ${label}`, move(moveCursor)),
    ]
  })

  useCommands(
    'Images',
    [
      ...moves,
      { id: 'open', isKeyOnly: true, keys: 'Enter', label: 'Open', run: withFocus(open) },
      {
        id: 'step.select',
        isKeyOnly: true,
        keys: ['Space', '$mod+Space'],
        label: 'Select or unselect',
        run: withFocus(toggleImage),
      },
    ],
    {
      when: () => {
        const focus = document.activeElement
        return focus?.contains(grid.element) === true || grid.element?.contains(focus) === true
      },
    },
  )
  useCommands('Images', imageCommands(ofTargets, keyState(has)), {
    now: () => imageCommands(actions, gridState(api, grid.now, hasQueue)),
  })
  useCommands('Images', [clear], {
    when: () => !isNothing(currentSelection()),
    now: () => (isNothing(currentSelection()) ? [] : [clear]),
  })
  return null
})

const clear: Command = {
  id: 'clearSelection',
  keys: 'Escape',
  label: 'Clear the selection',
  icon: X,
  run: clearSelection,
}

const stepCommand = (keys: string, label: string, run: () => void): Command => ({
  id: `step.${keys}`,
  isKeyOnly: true,
  keys,
  label,
  run,
})

/** Moves from the current image to the target of a key, and scrolls it into view. */
function step(now: GridNow, key: StepKey, columns: ColumnMemory, choose: (item: GridItem) => void) {
  const { total, scroller, layout } = now
  if (total === 0 || layout.total === 0) return
  const { rowPx } = layout.geometry
  const pagePx = Math.max(1, Math.floor(scroller.viewportPx / rowPx) - 1) * rowPx
  const from = currentCursor()?.position ?? null
  const first = seenRange(now).from
  const position = columns.stepFrom(from, key, { layout, pagePx, first })
  showPosition(now, position)
  choose({ position, imageName: loadedRecord(now, position)?.image_name ?? '' })
}
