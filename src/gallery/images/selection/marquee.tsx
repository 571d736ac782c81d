import { useEffect, useState } from 'react'
import type { Rectangle } from '#gallery/images/grid/grid-geometry.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import { firstInSight, type GridNow, loadedRecord } from '#gallery/images/grid/grid-now.ts'
import { positionsTouched } from '#gallery/images/grid/grid-rows.ts'
import { NOTHING, type Range } from './selection.ts'
import {
  cancelMarquee,
  clearSelection,
  currentSelection,
  endMarquee,
  selectMarquee,
} from './selection-store.ts'

/** Distance from an edge within which the grid scrolls, in pixels. */
const EDGE_PX = 56

/** Maximum scroll distance, at the very edge, in pixels per frame. */
const MAX_STEP_PX = 22

/** Distance after which a press becomes a marquee, in pixels. */
const BEGIN_PX = 5

/**
 * Lets the mouse draw a selection rectangle in a grid from empty space, or from anywhere with Alt. It selects the images
 * that it overlaps. Ctrl and Shift keep the previous selection. Esc restores it.
 */
export function Marquee({ grid }: { grid: GridHandle }) {
  const [rectangle, setRectangle] = useState<Rectangle | null>(null)

  useEffect(() => {
    const { element } = grid
    if (element === null) return
    let end: (() => void) | null = null

    const begin = (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType === 'touch' || !mayBeginAt(event, element)) return
      end = drawMarquee(event, element, grid, setRectangle)
    }
    element.addEventListener('pointerdown', begin)
    return () => {
      element.removeEventListener('pointerdown', begin)
      end?.()
    }
  }, [grid])

  if (rectangle === null) return null
  const { left, top, right, bottom } = rectangle
  return (
    <div
      className="pointer-events-none absolute border border-accent bg-accent/15"
      style={{ left, top, width: right - left, height: bottom - top }}
    />
  )
}

/** Returns false on an image, which is dragged instead, and on a button or the scrollbar. */
function mayBeginAt(event: PointerEvent, element: HTMLElement): boolean {
  const isOnScrollbar = event.clientX - element.getBoundingClientRect().left > element.clientWidth
  const isOnTile =
    event.target instanceof Element &&
    event.target.closest('[data-position], [data-making], button')
  return !isOnScrollbar && (event.altKey || !isOnTile)
}

function drawMarquee(
  start: PointerEvent,
  element: HTMLElement,
  grid: GridHandle,
  /** Called with the rectangle relative to the scrolled box; `null` at the end. */
  onDraw: (rectangle: Rectangle | null) => void,
): () => void {
  const selectedBefore = currentSelection()
  const isAdding = start.ctrlKey || start.metaKey || start.shiftKey
  const base = isAdding ? selectedBefore : NOTHING
  const origin = pointOf(start, element, grid.now)
  let pointer = start
  let isDrawing = false
  const listening = new AbortController()
  let stopScrolling = () => {}
  let ranges: readonly Range[] = []

  const draw = () => {
    const point = pointOf(pointer, element, grid.now)
    const content = {
      left: Math.min(origin.x, point.x),
      right: Math.max(origin.x, point.x),
      top: Math.min(origin.y, point.y),
      bottom: Math.max(origin.y, point.y),
    }
    const { scroller } = grid.now
    onDraw({
      ...content,
      top: content.top - scroller.shiftPx,
      bottom: content.bottom - scroller.shiftPx,
    })
    ranges = positionsTouched(grid.now.layout, content)
    selectMarquee(base, ranges, (position) => loadedRecord(grid.now, position))
  }
  const move = (event: PointerEvent) => {
    pointer = event
    const travelled = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY)
    if (!isDrawing && travelled < BEGIN_PX) return
    if (!isDrawing) {
      isDrawing = true
      element.setPointerCapture(start.pointerId)
      stopScrolling = scrollNearEdge(element, () => pointer, draw)
    }
    draw()
  }
  const stop = () => {
    stopScrolling()
    onDraw(null)
    listening.abort()
  }
  const release = () => {
    stop()
    // A click on empty space without dragging clears the selection.
    if (isDrawing) endMarquee(firstInSight(grid.now, ranges))
    else if (!isAdding) clearSelection()
  }
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    stop()
    cancelMarquee(selectedBefore)
  }
  const { signal } = listening
  element.addEventListener('pointermove', move, { signal })
  element.addEventListener('pointerup', release, { signal })
  element.addEventListener('pointercancel', stop, { signal })
  window.addEventListener('keydown', cancel, { capture: true, signal })
  return stop
}

/** Returns the pointer's position in the content, in pixels. */
export function pointOf(
  event: { clientX: number; clientY: number },
  element: HTMLElement,
  { scroller }: GridNow,
) {
  const box = element.getBoundingClientRect()
  const y = Math.min(Math.max(event.clientY, box.top), box.bottom)
  return { x: event.clientX - box.left, y: y - box.top + scroller.contentTop }
}

/** Scrolls an element while the pointer is near its upper or lower edge. Returns a function that stops it. */
export function scrollNearEdge(
  element: HTMLElement,
  pointer: () => { clientY: number } | null,
  onScroll: () => void,
): () => void {
  const scroll = () => {
    const at = pointer()
    const step = at === null ? 0 : edgeStep(at, element)
    if (step !== 0) {
      element.scrollTop += step
      onScroll()
    }
    frame = requestAnimationFrame(scroll)
  }
  let frame = requestAnimationFrame(scroll)
  return () => cancelAnimationFrame(frame)
}

/** Returns the scroll distance of this frame near the upper or lower edge, in pixels. */
export function edgeStep(event: { clientY: number }, element: HTMLElement): number {
  const { top, bottom } = element.getBoundingClientRect()
  const above = EDGE_PX - (event.clientY - top)
  const below = EDGE_PX - (bottom - event.clientY)
  const share = (distance: number) => Math.min(1, Math.max(0, distance / EDGE_PX))
  return Math.round((share(below) - share(above)) * MAX_STEP_PX)
}
