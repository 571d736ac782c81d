import fc from 'fast-check'
import { expect, test } from 'vitest'
import { geometryOf } from '#gallery/images/grid/grid-geometry.ts'
import { layoutOf, plainLayoutOf } from '#gallery/images/grid/grid-layout.ts'
import { columnOf, topOfPosition } from '#gallery/images/grid/grid-rows.ts'
import { isLeadSeen, keepOnScreen } from './grid-anchor.ts'

const widths = fc.integer({ min: 400, max: 2400 })

test('keeps each image in its column and at its height after any shift', () => {
  const shifts = fc.integer({ min: -500, max: 500 })
  fc.assert(
    fc.property(widths, fc.integer({ min: 1500, max: 9000 }), shifts, (widthPx, from, by) => {
      const geometry = geometryOf(widthPx, 184)
      const layout = plainLayoutOf(geometry, 10_000)
      const before = { layout, contentTop: topOfPosition(layout, from) - 100 }
      const to = from + by

      const after = keepOnScreen(before, { from, to }, plainLayoutOf(geometry, 10_000 + by))

      expect(columnOf(after.layout, to)).toBe(columnOf(layout, from))
      expect(topOfPosition(after.layout, to) - after.contentTop).toBe(100)
    }),
  )
})

test('leaves an earlier day unchanged when images are added to later days', () => {
  const earlier = [{ key: '2026-05-02', count: 900 }]
  const news = fc.integer({ min: 1, max: 300 })
  fc.assert(
    fc.property(widths, news, news, fc.nat(899), (widthPx, already, more, at) => {
      const geometry = geometryOf(widthPx, 184)
      const withToday = (count: number) =>
        layoutOf(geometry, [{ key: '2026-05-03', count }, ...earlier])
      const before = { layout: withToday(already), contentTop: 0 }
      const from = already + at
      const to = already + more + at

      const after = keepOnScreen(before, { from, to }, withToday(already + more))

      expect(topOfPosition(after.layout, to) - after.contentTop).toBe(
        topOfPosition(before.layout, from),
      )
      expect(columnOf(after.layout, to)).toBe(columnOf(before.layout, from))
    }),
  )
})

test('shows no empty cells where a day begins on the screen', () => {
  const geometry = geometryOf(1200, 184)
  const before = {
    layout: layoutOf(geometry, [
      { key: 'a', count: 50 },
      { key: 'b', count: 50 },
    ]),
    contentTop: topOfPosition(plainLayoutOf(geometry, 50), 49),
  }
  const after = layoutOf(geometry, [
    { key: 'a', count: 50 },
    { key: 'b', count: 49 },
  ])

  const shown = keepOnScreen(before, { from: 51, to: 50 }, after)

  expect(columnOf(shown.layout, 50)).toBe(0)
  expect(isLeadSeen(shown)).toBe(true)
})
