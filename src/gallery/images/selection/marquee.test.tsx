import { act, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { attachedGrid, fiveColumns, VIEWPORT_PX } from '#integration/grid-in-window.ts'
import { Marquee } from './marquee.tsx'
import { countSelected } from './selection.ts'
import { currentSelection, resetSelection, selectRanges } from './selection-store.ts'

const { cellPx, leftPx, topPx, rowPx } = fiveColumns

beforeEach(() => {
  resetSelection()
  // happy-dom has no layout.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
    new DOMRect(0, 0, 1000, VIEWPORT_PX),
  )
})
afterEach(() => {
  vi.restoreAllMocks()
})

function renderMarquee() {
  const { grid, box } = attachedGrid()
  box.setPointerCapture = () => {}
  const { container } = render(<Marquee grid={grid} />)
  const point = (type: string, clientX: number, clientY: number, options = {}) =>
    act(() => {
      fireEvent(
        box,
        new PointerEvent(type, { clientX, clientY, button: 0, bubbles: true, ...options }),
      )
    })
  return { container, point }
}

const selectedCount = () => countSelected(currentSelection(), 300)

test('draws a rectangle and selects the images that it overlaps', () => {
  const { container, point } = renderMarquee()

  point('pointerdown', 1, 1)
  point('pointermove', leftPx + 2 * cellPx, topPx + rowPx + 10)

  expect(container.querySelector<HTMLElement>('div')?.style.left).toBe('1px')
  expect(selectedCount()).toBe(4)
  point('pointerup', leftPx + 2 * cellPx, topPx + rowPx + 10)
  expect(container.innerHTML).toBe('')
  expect(selectedCount()).toBe(4)
})

test('adds to the selection with Ctrl', () => {
  const { point } = renderMarquee()
  selectRanges([{ from: 100, to: 101 }], () => undefined, null)

  point('pointerdown', 1, 1, { ctrlKey: true })
  point('pointermove', leftPx + 10, topPx + 10)
  point('pointerup', leftPx + 10, topPx + 10)

  expect(selectedCount()).toBe(3)
})

test('restores the selection on Escape', () => {
  const { container, point } = renderMarquee()
  selectRanges([{ from: 100, to: 101 }], () => undefined, null)
  point('pointerdown', 1, 1)
  point('pointermove', leftPx + 2 * cellPx, topPx + rowPx + 10)

  act(() => void fireEvent.keyDown(window, { key: 'Escape' }))

  expect(selectedCount()).toBe(2)
  expect(container.innerHTML).toBe('')
})

test('clears the selection on a click without dragging', () => {
  const { point } = renderMarquee()
  selectRanges([{ from: 100, to: 101 }], () => undefined, null)

  point('pointerdown', 1, 1)
  point('pointerup', 2, 2)

  expect(selectedCount()).toBe(0)
})

test('ignores touches, other buttons and presses on a tile', () => {
  const { container, point } = renderMarquee()

  point('pointerdown', 1, 1, { pointerType: 'touch' })
  point('pointerdown', 1, 1, { button: 2 })
  point('pointermove', 500, 500)

  expect(container.innerHTML).toBe('')
  expect(selectedCount()).toBe(0)
})
