import fc from 'fast-check'
import { expect, test } from 'vitest'
import { geometryOf } from './grid-geometry.ts'
import { type Group, type Lead, layoutOf, plainLayoutOf } from './grid-layout.ts'
import {
  columnOf,
  contentOfRow,
  heightOfRow,
  positionIn,
  positionsBetween,
  positionsTouched,
  rowAt,
  rowOf,
  scrollTopShowing,
  topOfPosition,
  topOfRow,
} from './grid-rows.ts'

/** Groups of very different sizes: days of a person, and days of a script. */
const days = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 4000 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((counts) => counts.map((count, at): Group => ({ key: `day ${at}`, count })))

const layouts = fc
  .record({
    widthPx: fc.integer({ min: 320, max: 2600 }),
    tilePx: fc.integer({ min: 80, max: 400 }),
    groups: fc.oneof(
      days,
      fc.integer({ min: 1, max: 100_000 }).map((count) => [{ key: '', count }]),
    ),
    leadGroup: fc.nat(59),
    cells: fc.nat(30),
  })
  .map(({ widthPx, tilePx, groups, leadGroup, cells }) => {
    const geometry = geometryOf(widthPx, tilePx)
    const key = groups[leadGroup % groups.length]?.key ?? ''
    const lead: Lead = { key, cells: cells % geometry.columns }
    return layoutOf(geometry, groups, lead)
  })

test('maps positions, rows and pixels to each other', () => {
  fc.assert(
    fc.property(layouts, fc.nat(), (layout, at) => {
      const position = at % layout.total
      const row = rowOf(layout, position)

      expect(positionIn(layout, row, columnOf(layout, position))).toBe(position)
      expect(rowAt(layout, topOfRow(layout, row))).toBe(row)
      expect(rowAt(layout, topOfRow(layout, row) + layout.geometry.cellPx)).toBe(row)
    }),
  )
})

test('places rows without gaps from the top to the full height', () => {
  fc.assert(
    fc.property(layouts, fc.nat(), (layout, at) => {
      const row = at % layout.rowCount
      const bottom = topOfRow(layout, row) + heightOfRow(layout, row)

      if (row + 1 < layout.rowCount) expect(topOfRow(layout, row + 1)).toBe(bottom)
      else expect(layout.heightPx).toBeGreaterThan(bottom)
    }),
  )
})

test('contains every image once, with a heading for each day', () => {
  const few = layouts.filter(({ total }) => total < 3000)
  fc.assert(
    fc.property(few, (layout) => {
      const contents = Array.from({ length: layout.rowCount }, (_, row) =>
        contentOfRow(layout, row),
      )
      let next = 0
      for (const content of contents) {
        if (!('from' in content)) expect(content.group.from).toBe(next)
        else {
          expect(content.from).toBe(next)
          expect(content.to - content.from + content.column).toBeLessThan(layout.geometry.columns)
          next = content.to + 1
        }
      }
      expect(next).toBe(layout.total)
    }),
    { numRuns: 30 },
  )
})

test('returns the positions in the rows between two heights', () => {
  fc.assert(
    fc.property(layouts, fc.nat(), fc.integer({ min: 300, max: 1400 }), (layout, at, screenPx) => {
      const top = at % Math.max(1, layout.heightPx - screenPx)
      const { from, to } = positionsBetween(layout, top, top + screenPx)

      if (from <= to) {
        expect(topOfPosition(layout, from) + layout.geometry.cellPx).toBeGreaterThan(top)
        expect(topOfPosition(layout, to)).toBeLessThanOrEqual(top + screenPx)
      }
      if (from > 0) expect(topOfPosition(layout, from - 1)).toBeLessThanOrEqual(top)
      if (to + 1 < layout.total) {
        expect(topOfPosition(layout, to + 1)).toBeGreaterThan(top + screenPx)
      }
    }),
  )
})

test('returns only images whose squares a rectangle overlaps', () => {
  const few = layouts.filter(({ total }) => total < 2000)
  const points = fc.record({ x: fc.nat(2600), y: fc.nat(6000) })
  fc.assert(
    fc.property(few, points, points, (layout, a, b) => {
      const box = {
        left: Math.min(a.x, b.x),
        right: Math.max(a.x, b.x),
        top: Math.min(a.y, b.y),
        bottom: Math.max(a.y, b.y),
      }
      const { leftPx, cellPx, gapPx } = layout.geometry
      const isTouched = (position: number) => {
        const x = leftPx + columnOf(layout, position) * (cellPx + gapPx)
        const y = topOfPosition(layout, position)
        const isAcross = box.left <= x + cellPx && box.right >= x
        return isAcross && box.top <= y + cellPx && box.bottom >= y
      }

      const touched = positionsTouched(layout, box).flatMap(({ from, to }) =>
        Array.from({ length: to - from + 1 }, (_, at) => from + at),
      )

      const every = Array.from({ length: layout.total }, (_, position) => position)
      expect(touched).toEqual(every.filter(isTouched))
    }),
    { numRuns: 40 },
  )
})

test('scrolls a row fully into view, below the sticky heading', () => {
  fc.assert(
    fc.property(
      layouts,
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 700, max: 1200 }),
      (layout, at, scrolled, heightPx) => {
        const row = rowOf(layout, at % layout.total)

        const top = scrollTopShowing(layout, row, { topPx: scrolled % layout.heightPx, heightPx })

        expect(topOfRow(layout, row)).toBeGreaterThanOrEqual(top + layout.headingPx)
        expect(topOfRow(layout, row) + layout.geometry.cellPx).toBeLessThanOrEqual(top + heightPx)
      },
    ),
  )
})

test('lays out 100,000 images over 3,000 days', () => {
  const counts = Array.from({ length: 3000 }, (_, at) => ({ key: `${at}`, count: 33 + (at % 2) }))
  const layout = layoutOf(geometryOf(1200, 184), counts)
  const plain = plainLayoutOf(geometryOf(1200, 184), layout.total)

  // Each day adds its rows and one heading; nothing is stored per row.
  expect(layout.groups).toHaveLength(3000)
  expect(layout.total).toBe(100_500)
  expect(layout.rowCount).toBe(3000 + 3000 * Math.ceil(33 / layout.geometry.columns))
  expect(layout.heightPx).toBeGreaterThan(plain.heightPx)
  expect(contentOfRow(layout, layout.rowCount - 1)).toMatchObject({ to: 100_499 })
})
