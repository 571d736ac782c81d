import { memo, useState } from 'react'
import { useHasQueue } from '#gallery/api/queue/queue-queries.ts'
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
import { type KeyBinding, useKeys } from '#gallery/ui/keys/keys.ts'
import { keysOfCommands } from '#gallery/ui/menu.tsx'
import type { GridHandle } from './grid-handle.ts'
import { groupOf, isGrouped, type PlacedGroup } from './grid-layout.ts'
import {
  type GridNow,
  isInSight,
  loadedRecord,
  seenImages,
  seenRange,
  showPosition,
} from './grid-now.ts'
import { ColumnMemory, type StepKey } from './grid-steps.ts'

interface GridKeysProps {
  grid: GridHandle
  actions: GridActions
  onOpen: (imageName: string) => void
  onSelectGroup: (group: PlacedGroup) => void
}

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
  const { grid, actions, onOpen, onSelectGroup } = props
  const [columns] = useState(() => new ColumnMemory())
  const hasQueue = useHasQueue()
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
  const moves = steps.flatMap(([key, label]): KeyBinding[] => {
    const move = (choose: (item: GridItem) => void) => () => {
      grid.element?.focus({ preventScroll: true })
      step(grid.now, key, columns, choose)
    }
    return [
      { keys: key, label: `Select ${label}`, run: move(selectImage) },
      { keys: `Shift+${key}`, label: `Extend the selection to ${label}`, run: move(selectTo) },
      { keys: `$mod+${key}`, label: `Move the focus to ${label}`, run: move(moveCursor) },
    ]
  })

  useKeys(
    'Images',
    [
      ...moves,
      { keys: 'Enter', label: 'Open', run: withFocus(open) },
      { keys: ['Space', '$mod+Space'], label: 'Select or unselect', run: withFocus(toggleImage) },
    ],
    {
      when: () => {
        const focus = document.activeElement
        return focus?.contains(grid.element) === true || grid.element?.contains(focus) === true
      },
    },
  )
  useKeys('Images', [
    ...keysOfCommands(imageCommands(ofTargets, keyState(hasQueue))),
    {
      keys: 'd',
      label: 'Select the day, if grouped by day',
      run: () => {
        const { layout } = grid.now
        const cursor = currentCursor()?.position
        const isSeen = cursor !== undefined && isInSight(grid.now, cursor)
        const position = isSeen ? cursor : seenImages(grid.now)[0]?.position
        if (isGrouped(layout) && position !== undefined) onSelectGroup(groupOf(layout, position))
      },
    },
  ])
  useKeys('Images', [{ keys: 'Escape', label: 'Clear the selection', run: clearSelection }], {
    when: () => !isNothing(currentSelection()),
  })
  return null
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
