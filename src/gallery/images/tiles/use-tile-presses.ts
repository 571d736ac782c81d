import { type MouseEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { loadedRecord } from '#gallery/images/grid/grid-now.ts'
import { positionNear, rowAt } from '#gallery/images/grid/grid-rows.ts'
import { pointOf, scrollNearEdge } from '#gallery/images/selection/marquee.tsx'
import { isNothing, isSelected } from '#gallery/images/selection/selection.ts'
import {
  currentSelection,
  type GridItem,
  moveCursor,
  recordInput,
  selectImage,
  selectRange,
  toggleImage,
} from '#gallery/images/selection/selection-store.ts'
import type { GridActions } from '#gallery/images/use-image-actions.ts'
import { openContextMenuAt } from '#gallery/ui/popups/context-menu.tsx'

/** Duration of a long press on a touch screen, in milliseconds. A long press selects. */
const LONG_PRESS_MS = 450

/** Movement that turns a touch into scrolling before the long press, in pixels. */
const SLIP_PX = 10

interface Press {
  readonly type: string
  readonly x: number
  readonly y: number
  wasLong: boolean
  /** The element whose menu opens when the finger is lifted. */
  menu: EventTarget | null
}

interface TilePressesOptions {
  grid: GridHandle
  actions: GridActions
  onOpen: (imageName: string) => void
}

/**
 * Returns the grid's handlers for mouse and touch on tiles. With a mouse, a click selects and a double click opens.
 * With touch, a tap opens. A long press selects, and taps then select too. A drag after the long press selects a range.
 * A long press on a selected tile or on empty space opens the menu.
 */
export function useTilePresses({ grid, actions, onOpen }: TilePressesOptions) {
  const press = useRef<Press | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const dragging = useRef<RangeDrag | null>(null)

  useEffect(() => {
    const element = grid.element
    const listening = new AbortController()
    const { signal } = listening
    const notePointer = ({ pointerType }: globalThis.PointerEvent) => {
      recordInput(pointerType === 'touch')
      delete element?.dataset.keys
    }
    // Chromium does not match :focus-visible when Ctrl and an arrow follow a click.
    const noteKey = () => {
      recordInput(false)
      if (element) element.dataset.keys = ''
    }
    window.addEventListener('pointerdown', notePointer, { capture: true, signal })
    window.addEventListener('keydown', noteKey, { capture: true, signal })
    return () => listening.abort()
  }, [grid])

  useEffect(() => {
    const element = grid.element
    // Not a React handler: only a listener that is not passive can prevent scrolling.
    const holdStill = (event: TouchEvent) => {
      if (dragging.current && event.cancelable) event.preventDefault()
    }
    element?.addEventListener('touchmove', holdStill, { passive: false })
    return () => {
      element?.removeEventListener('touchmove', holdStill)
      clearTimeout(timer.current)
      dragging.current?.end()
    }
  }, [grid])

  return useMemo(() => {
    const endDrag = () => {
      clearTimeout(timer.current)
      dragging.current?.end()
      dragging.current = null
    }
    const selectTo = (item: GridItem) =>
      selectRange(item, (position) => loadedRecord(grid.now, position))

    const act = (what: string | undefined, item: GridItem, event: MouseEvent) => {
      if (what === 'star') {
        const record = loadedRecord(grid.now, item.position)
        if (record) actions.star?.([record.image_name], !record.starred)
      } else if (event.shiftKey) selectTo(item)
      else toggleImage(item)
    }

    return {
      onPointerDown: (event: PointerEvent) => {
        const { pointerType: type, clientX: x, clientY: y } = event
        const current: Press = { type, x, y, wasLong: false, menu: null }
        press.current = current
        clearTimeout(timer.current)
        const { target } = event
        if (event.pointerType !== 'touch') return
        timer.current = setTimeout(() => {
          const item = itemOf(target)
          current.wasLong = true
          navigator.vibrate?.(10)
          if (item === null || isSelectedNow(item)) current.menu = target
          else toggleImage(item)
          if (item !== null && grid.element) {
            dragging.current = selectByDrag(grid.element, grid, item)
          }
        }, LONG_PRESS_MS)
      },
      onPointerMove: (event: PointerEvent) => {
        dragging.current?.move(event)
        const start = press.current
        if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > SLIP_PX) {
          clearTimeout(timer.current)
          start.menu = null
        }
      },
      onPointerUp: () => {
        endDrag()
        // After the release, because a drag selects a range instead.
        const { menu, ...point } = press.current ?? { menu: null, x: 0, y: 0 }
        if (menu !== null) openContextMenuAt(menu, point)
      },
      onPointerCancel: endDrag,
      onMouseDown: (event: MouseEvent) => {
        // A button of a tile would take the focus from the grid, and keys would stop working.
        if (partOf(event.target) !== undefined) {
          event.preventDefault()
          grid.element?.focus({ preventScroll: true })
        }
      },
      onClick: (event: MouseEvent) => {
        const item = itemOf(event.target)
        if (item === null || press.current?.wasLong) return
        const part = partOf(event.target)
        if (part !== undefined) act(part, item, event)
        else if (press.current?.type === 'touch') {
          if (isNothing(currentSelection())) {
            moveCursor(item)
            onOpen(item.imageName)
          } else toggleImage(item)
        } else if (event.shiftKey) selectTo(item)
        else if (event.ctrlKey || event.metaKey) toggleImage(item)
        else selectImage(item)
      },
      onDoubleClick: (event: MouseEvent) => {
        const item = itemOf(event.target)
        // Browsers send a double click after two long presses, of which the second opens the menu.
        if (item === null || press.current?.wasLong) return
        const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey
        if (isPlain && partOf(event.target) === undefined) onOpen(item.imageName)
      },
      onContextMenu: (event: MouseEvent) => {
        // A long press selects; the browser's image menu would cover the selection.
        if (press.current?.type === 'touch' && event.isTrusted) event.preventDefault()
      },
    }
  }, [grid, actions, onOpen])
}

const isSelectedNow = ({ imageName, position }: GridItem): boolean =>
  isSelected(currentSelection(), imageName, position)

/** Returns the image of the tile that an event hit. */
export function itemOf(target: EventTarget): GridItem | null {
  const tile = target instanceof Element ? target.closest('[data-position]') : null
  if (!(tile instanceof HTMLElement)) return null
  return { position: Number(tile.dataset.position), imageName: tile.dataset.name ?? '' }
}

interface RangeDrag {
  move(event: { clientX: number; clientY: number }): void
  end(): void
}

/** Selects the range from an image to the one under the finger, and scrolls while the finger is near an edge. */
function selectByDrag(element: HTMLElement, grid: GridHandle, start: GridItem): RangeDrag {
  let pointer: { clientX: number; clientY: number } | null = null
  let last = start.position
  const select = () => {
    if (pointer === null) return
    const { layout } = grid.now
    const { x, y } = pointOf(pointer, element, grid.now)
    const row = rowAt(layout, y)
    const position = positionNear(layout, row, x)
    if (position === last) return
    last = position
    const imageName = loadedRecord(grid.now, position)?.image_name ?? ''
    selectRange({ imageName, position }, (at) => loadedRecord(grid.now, at))
  }
  return {
    move: ({ clientX, clientY }) => {
      pointer = { clientX, clientY }
      select()
    },
    end: scrollNearEdge(element, () => pointer, select),
  }
}

/** Returns the action of the tile part that an event hit, if any. */
function partOf(target: EventTarget): string | undefined {
  const part = target instanceof Element ? target.closest('[data-act]') : null
  return part instanceof HTMLElement ? part.dataset.act : undefined
}
