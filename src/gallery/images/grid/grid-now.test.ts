import fc from 'fast-check'
import { expect, test } from 'vitest'
import { geometryOf } from './grid-geometry.ts'
import { type Lead, layoutOf, NO_LEAD, plainLayoutOf, withLead } from './grid-layout.ts'
import { contentTopFor, type GridNow, leadOfPivot, pivotAt, pivotAtTop } from './grid-now.ts'
import { columnOf, topOfPosition } from './grid-rows.ts'
import { GridScroller } from './grid-scroller.ts'

// Enough images that the end is off screen at every tile size.
const TOTAL = 100_000
const VIEWPORT_PX = 900

interface GridOptions {
  tilePx: number
  contentTop?: number
  lead?: Lead
  isByDay?: boolean
}

const days = Array.from({ length: 1000 }, (_, at) => ({ key: `day ${at}`, count: 100 }))

function gridOf({ tilePx, contentTop = 0, lead = NO_LEAD, isByDay = false }: GridOptions): GridNow {
  const geometry = geometryOf(1200, tilePx)
  const layout = isByDay ? layoutOf(geometry, days, lead) : plainLayoutOf(geometry, TOTAL, lead)
  const scroller = new GridScroller()
  scroller.resize(layout.heightPx, VIEWPORT_PX)
  scroller.settleAt(contentTop)
  const view = { boardId: null, query: '', orderDir: 'DESC', starredFirst: false } as const
  return { view, noun: 'image', scroller, layout, total: TOTAL, windows: new Map() }
}

const sizes = fc.integer({ min: 80, max: 400 })
const places = fc.integer({ min: 20_000, max: 100_000 })

test('keeps the tile under the pointer there when the tile size changes', () => {
  const points = fc.record({ x: fc.nat(1199), y: fc.nat(VIEWPORT_PX - 1) })
  fc.assert(
    fc.property(sizes, sizes, places, points, (before, after, contentTop, { x, y }) => {
      const pivot = pivotAt(gridOf({ tilePx: before, contentTop }), x, y)

      const { layout } = gridOf({ tilePx: after })
      const lead = leadOfPivot(layout, pivot)
      const top = contentTopFor(withLead(layout, lead), pivot)
      const shown = gridOf({ tilePx: after, lead, contentTop: top })

      // Scroll positions are whole pixels, so an edge may be off by one.
      const rowTop = topOfPosition(shown.layout, pivot.position) - shown.scroller.contentTop
      expect(rowTop).toBeLessThanOrEqual(y + 1)
      expect(rowTop + shown.layout.geometry.rowPx).toBeGreaterThanOrEqual(y - 1)
      const under = pivotAt(shown, x, y).position
      expect(columnOf(shown.layout, pivot.position)).toBe(columnOf(shown.layout, under))
    }),
  )
})

test.each([false, true])('keeps the topmost image at the top, by day: %s', (isByDay) => {
  fc.assert(
    fc.property(sizes, sizes, places, (before, after, contentTop) => {
      const pivot = pivotAtTop(gridOf({ tilePx: before, contentTop, isByDay }))

      const { layout } = gridOf({ tilePx: after, isByDay })
      const shown = gridOf({ tilePx: after, contentTop: contentTopFor(layout, pivot), isByDay })

      const top = topOfPosition(shown.layout, pivot.position) - shown.scroller.contentTop
      const { gapPx, rowPx } = shown.layout.geometry
      expect(top).toBeLessThanOrEqual(gapPx + shown.layout.headingPx + 1)
      expect(top).toBeGreaterThanOrEqual(-rowPx - 1)
    }),
  )
})
