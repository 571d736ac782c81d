import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnAt, columnsTouched, geometryOf } from './grid-geometry.ts'

const widths = fc.integer({ min: 120, max: 4000 })
const tiles = fc.integer({ min: 80, max: 400 })

test('fits all columns into the width', () => {
  fc.assert(
    fc.property(widths, tiles, (widthPx, tilePx) => {
      const { columns, cellPx, gapPx, leftPx } = geometryOf(widthPx, tilePx)

      expect(leftPx).toBeGreaterThanOrEqual(0)
      expect(leftPx + columns * cellPx + (columns - 1) * gapPx).toBeLessThanOrEqual(widthPx)
    }),
  )
})

test("finds the column of each column's center", () => {
  fc.assert(
    fc.property(widths, tiles, fc.nat(50), (widthPx, tilePx, at) => {
      const geometry = geometryOf(widthPx, tilePx)
      const column = at % geometry.columns
      const x = geometry.leftPx + column * (geometry.cellPx + geometry.gapPx) + geometry.cellPx / 2

      expect(columnAt(geometry, x)).toBe(column)
    }),
  )
})

test('fits three columns of 112 px tiles into 390 px', () => {
  expect(geometryOf(390, 112).columns).toBe(3)
})

test('returns the columns that a rectangle overlaps, and null in a gap', () => {
  const geometry = geometryOf(1000, 180)
  const step = geometry.cellPx + geometry.gapPx
  const left = geometry.leftPx + step + 5
  const gap = geometry.leftPx + geometry.cellPx + 2
  const y = { top: 20, bottom: 90 }

  expect(columnsTouched(geometry, { left, right: left + step, ...y })).toEqual({
    first: 1,
    last: 2,
  })
  expect(columnsTouched(geometry, { left: gap, right: gap + 2, ...y })).toBeNull()
})
