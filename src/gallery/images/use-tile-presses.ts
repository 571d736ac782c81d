import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import { type GridNow, loadedRecord } from './grid-now.ts'
import { isNothing } from './selection.ts'
import {
  currentSelection,
  cursorMoved,
  imageChosen,
  imageToggled,
  inputUsed,
  rangeChosen,
  type Spot,
} from './selection-store.ts'
import type { ImageActions } from './use-image-actions.ts'

/** A finger that rests so long selects, in milliseconds. */
const LONG_PRESS_MS = 450

/** A finger that moves so far scrolls and does not press, in pixels. */
const SLIP_PX = 10

interface TilePressesOptions {
  now: RefObject<GridNow>
  grid: RefObject<HTMLElement | null>
  actions: ImageActions
  onOpen: (imageName: string) => void
}

/**
 * What mouse and finger do to tiles, taken where all tiles are: a mouse selects and opens by double
 * click; a finger opens, and selects once one image was selected by resting on it.
 */
export function useTilePresses({ now, grid, actions, onOpen }: TilePressesOptions) {
  const press = useRef<{ type: string; x: number; y: number; wasLong: boolean } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    const notePointer = ({ pointerType }: globalThis.PointerEvent) =>
      inputUsed(pointerType === 'touch')
    const noteKey = () => inputUsed(false)
    window.addEventListener('pointerdown', notePointer, true)
    window.addEventListener('keydown', noteKey, true)
    return () => {
      window.removeEventListener('pointerdown', notePointer, true)
      window.removeEventListener('keydown', noteKey, true)
    }
  }, [])

  const spotOf = (target: EventTarget): Spot | null => {
    const tile = target instanceof Element ? target.closest('[data-position]') : null
    if (!(tile instanceof HTMLElement)) return null
    return { position: Number(tile.dataset.position), imageName: tile.dataset.name ?? '' }
  }
  const selectTo = (spot: Spot) =>
    rangeChosen(spot, (position) => loadedRecord(now.current, position))

  const act = (what: string | undefined, spot: Spot, event: MouseEvent) => {
    if (what === 'star') {
      const record = loadedRecord(now.current, spot.position)
      if (record) actions.star([record.image_name], !record.starred)
    } else if (event.shiftKey) selectTo(spot)
    else imageToggled(spot)
  }

  return {
    onPointerDown: (event: PointerEvent) => {
      press.current = {
        type: event.pointerType,
        x: event.clientX,
        y: event.clientY,
        wasLong: false,
      }
      clearTimeout(timer.current)
      const spot = spotOf(event.target)
      if (event.pointerType !== 'touch' || spot === null) return
      timer.current = setTimeout(() => {
        if (press.current) press.current.wasLong = true
        imageToggled(spot)
        navigator.vibrate?.(10)
      }, LONG_PRESS_MS)
    },
    onPointerMove: (event: PointerEvent) => {
      const start = press.current
      if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > SLIP_PX) {
        clearTimeout(timer.current)
      }
    },
    onPointerUp: () => clearTimeout(timer.current),
    onPointerCancel: () => clearTimeout(timer.current),
    onMouseDown: (event: MouseEvent) => {
      // A button of a tile would take the focus away from the grid, and with it the keys.
      if (partOf(event.target) !== undefined) {
        event.preventDefault()
        grid.current?.focus({ preventScroll: true })
      }
    },
    onClick: (event: MouseEvent) => {
      const spot = spotOf(event.target)
      if (spot === null || press.current?.wasLong) return
      const part = partOf(event.target)
      if (part !== undefined) act(part, spot, event)
      else if (press.current?.type === 'touch') {
        if (isNothing(currentSelection())) {
          cursorMoved(spot)
          onOpen(spot.imageName)
        } else imageToggled(spot)
      } else if (event.shiftKey) selectTo(spot)
      else if (event.ctrlKey || event.metaKey) imageToggled(spot)
      else imageChosen(spot)
    },
    onDoubleClick: (event: MouseEvent) => {
      const spot = spotOf(event.target)
      const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey
      if (spot && isPlain && partOf(event.target) === undefined) onOpen(spot.imageName)
    },
    onContextMenu: (event: MouseEvent) => {
      // A resting finger selects; the browser's own menu for pictures would lie over that.
      if (press.current?.type === 'touch') event.preventDefault()
    },
  }
}

/** The part of a tile that does something of its own. */
function partOf(target: EventTarget): string | undefined {
  const part = target instanceof Element ? target.closest('[data-act]') : null
  return part instanceof HTMLElement ? part.dataset.act : undefined
}
