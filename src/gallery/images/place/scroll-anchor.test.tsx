import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { type ImageView, type ImageWindow, WINDOW_SIZE } from '#gallery/api/images/image-windows.ts'
import { geometryOf } from '#gallery/images/grid/grid-geometry.ts'
import { type Lead, NO_LEAD, plainLayoutOf, withLead } from '#gallery/images/grid/grid-layout.ts'
import { pivotAt } from '#gallery/images/grid/grid-now.ts'
import { columnOf, topOfPosition } from '#gallery/images/grid/grid-rows.ts'
import {
  currentSelection,
  resetSelection,
  selectRanges,
} from '#gallery/images/selection/selection-store.ts'
import {
  attachedGrid,
  fiveColumns,
  testView,
  VIEWPORT_PX,
  windowsOf,
} from '#integration/grid-in-window.ts'
import { PartInWindow } from '#integration/part-in-window.tsx'
import { type RememberedPlace, rememberedPlace } from './remembered-place.ts'
import { ScrollAnchor, useScrollAnchor } from './scroll-anchor.ts'

const ROW_PX = fiveColumns.rowPx

beforeEach(() => {
  resetSelection()
  sessionStorage.clear()
})

interface Options {
  total?: number
  contentTop?: number
  remembered?: RememberedPlace | null
}

/**
 * A grid of numbered images with an anchor. It starts after its first render. With a remembered place, nothing is loaded
 * yet then.
 */
function anchoredGrid({ total = 300, contentTop = 0, remembered = null }: Options = {}) {
  const isLoaded = remembered === null
  const { grid } = attachedGrid({ total, contentTop, ...(!isLoaded && { windows: new Map() }) })
  let lead: Lead = NO_LEAD
  let newAbove = 0
  const anchor = new ScrollAnchor({
    grid,
    api: new PartInWindow().api,
    remembered,
    onLead: (next) => {
      lead = next
    },
    onNewAbove: (change) => {
      newAbove = change(newAbove)
    },
  })
  /** Renders with other windows, and then with the lead that the anchor asked for. */
  const render = (windows: Map<number, ImageWindow>, layout = grid.now.layout) => {
    const next = windows.get(0)?.total ?? 0
    const plain = plainLayoutOf(layout.geometry, next, lead)
    grid.update({ ...grid.now, windows, total: next, layout: plain })
    anchor.afterRender(VIEWPORT_PX, true)
    grid.update({ ...grid.now, layout: withLead(plain, lead) })
    anchor.afterRender(VIEWPORT_PX, true)
  }
  anchor.afterRender(VIEWPORT_PX, isLoaded)
  /** Returns the column of an image, and its distance from the upper edge of the screen. */
  const placeOf = (number: number) => {
    const { layout, scroller, windows } = grid.now
    for (const [index, { items }] of windows) {
      const at = items.findIndex((record) => record?.image_name === `${number}.png`)
      if (at < 0) continue
      const position = index * WINDOW_SIZE + at
      const yPx = topOfPosition(layout, position) - scroller.contentTop
      return { column: columnOf(layout, position), yPx }
    }
    return null
  }
  return { grid, anchor, render, placeOf, newAbove: () => newAbove }
}

test('keeps the visible images in their place when images are inserted above', () => {
  const { render, placeOf, newAbove } = anchoredGrid({ contentTop: 10 * ROW_PX })
  // Image 300 is at position 0, so that the eleventh row begins with image 250.
  const before = placeOf(248)

  render(windowsOf(303))

  expect(placeOf(248)).toEqual(before)
  expect(newAbove()).toBe(3)
})

test('keeps images in their place that came into view without a render of the grid', () => {
  const { grid, render, placeOf } = anchoredGrid({ contentTop: 10 * ROW_PX })
  grid.scroller.settleAt(40 * ROW_PX)
  const before = placeOf(98)
  const removed = [...windowsOf(300).values()].flatMap(({ items }) => items).toSpliced(60, 5)

  render(
    new Map([
      [0, { items: removed.slice(0, WINDOW_SIZE), total: 295 }],
      [1, { items: removed.slice(WINDOW_SIZE), total: 295 }],
    ]),
  )

  expect(placeOf(98)).toEqual(before)
})

test('keeps the visible images in their place when images above are deleted', () => {
  const { render, placeOf, newAbove } = anchoredGrid({ contentTop: 10 * ROW_PX })
  const before = placeOf(248)
  const without = [...windowsOf(300).values()].flatMap(({ items }) => items).slice(2)

  render(
    new Map([
      [0, { items: without.slice(0, WINDOW_SIZE), total: 298 }],
      [1, { items: without.slice(WINDOW_SIZE), total: 298 }],
    ]),
  )

  expect(placeOf(248)).toEqual(before)
  expect(newAbove()).toBe(0)
})

test('shows new images at the top, and moves the selection with its images', () => {
  const { grid, render, newAbove } = anchoredGrid()
  selectRanges([{ from: 2, to: 3 }], () => undefined, null)

  render(windowsOf(304))

  expect(grid.scroller.contentTop).toBe(0)
  expect(newAbove()).toBe(0)
  expect(currentSelection().ranges).toEqual([{ from: 6, to: 7 }])
})

test('resets the number of new images at the top', () => {
  const { grid, anchor, render, newAbove } = anchoredGrid({ contentTop: 10 * ROW_PX })
  const stop = anchor.watch()
  render(windowsOf(305))
  expect(newAbove()).toBe(5)

  grid.scroller.settleAt(0)

  expect(newAbove()).toBe(0)
  stop()
})

test('keeps the image under the pointer in its place when the tile size changes', () => {
  const { grid, anchor, render } = anchoredGrid({ contentTop: 20 * ROW_PX })
  const pivot = pivotAt(grid.now, 500, 400)
  const larger = { ...geometryOf(1000, 300), columns: 3 }

  anchor.setPivot(pivot)
  render(windowsOf(300), plainLayoutOf(larger, 300))

  const { layout, scroller } = grid.now
  const yPx = topOfPosition(layout, pivot.position) - scroller.contentTop
  expect(Math.abs(yPx + pivot.share * larger.rowPx - 400)).toBeLessThanOrEqual(1)
})

test('keeps the top at the top when the tile size changes', () => {
  const { grid, render } = anchoredGrid()

  render(windowsOf(300), plainLayoutOf({ ...geometryOf(1000, 300), columns: 3 }, 300))

  expect(grid.scroller.contentTop).toBe(0)
})

test('restores a remembered place, also if images were added meanwhile', () => {
  const remembered = { imageName: '200.png', position: 95, offsetPx: 30, total: 295 }
  const { grid, render, placeOf, newAbove } = anchoredGrid({ total: 295, remembered })
  expect(grid.scroller.contentTop).toBe(topOfPosition(grid.now.layout, 95) + 30)

  render(windowsOf(300))

  expect(placeOf(200)?.yPx).toBe(-30)
  expect(newAbove()).toBe(0)
})

test('saves the place when the page unloads, and forgets it at the top', () => {
  const { grid, anchor } = anchoredGrid({ contentTop: 10 * ROW_PX })
  const stop = anchor.watch()

  window.dispatchEvent(new Event('pagehide'))
  expect(rememberedPlace(testView)).toMatchObject({ position: 45, total: 300 })
  grid.scroller.settleAt(0)

  expect(rememberedPlace(testView)).toBeNull()
  stop()
})

test.each<Partial<ImageView>>([
  { orderBy: 'size' },
  { orderDir: 'ASC' },
  { categories: ['control'] },
  { isStarred: true },
])('does not restore the place in a view with %j', (other) => {
  const { anchor } = anchoredGrid({ contentTop: 10 * ROW_PX })
  const stop = anchor.watch()

  window.dispatchEvent(new Event('pagehide'))

  expect(rememberedPlace({ ...testView, ...other })).toBeNull()
  expect(rememberedPlace({ ...testView })).not.toBeNull()
  stop()
})

test('does nothing before the grid has a layout', () => {
  const { grid } = attachedGrid({ contentTop: 500 })
  const anchor = new ScrollAnchor({
    grid,
    api: new PartInWindow().api,
    remembered: { imageName: '1.png', position: 3, offsetPx: 0, total: 300 },
    onLead: () => {},
    onNewAbove: () => {},
  })

  anchor.afterRender(0, false)

  expect(grid.scroller.contentTop).toBe(500)
})

test('useScrollAnchor counts new images and saves the place on unmount', () => {
  const { grid } = attachedGrid({ contentTop: 10 * ROW_PX })
  const { result, rerender, unmount } = renderHook(
    () =>
      useScrollAnchor({
        grid,
        remembered: null,
        onLead: () => {},
        viewportPx: VIEWPORT_PX,
        isTotalKnown: true,
      }),
    { wrapper: new PartInWindow().Wrapper },
  )
  expect(result.current.newAbove).toBe(0)

  act(() => {
    const windows = windowsOf(304)
    grid.update({ ...grid.now, windows, total: 304, layout: plainLayoutOf(fiveColumns, 304) })
    rerender()
  })
  expect(result.current.newAbove).toBe(4)
  unmount()

  expect(rememberedPlace(testView)).not.toBeNull()
})
