import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { geometryOf } from '#gallery/images/grid/grid-geometry.ts'
import { layoutOf, plainLayoutOf } from '#gallery/images/grid/grid-layout.ts'
import { columnOf, topOfPosition } from '#gallery/images/grid/grid-rows.ts'
import { isLeadSeen, keepOnScreen, type Seen, shiftOf } from './grid-anchor.ts'

const seenAt = (position: number, isStarred = false): Seen => ({
  position,
  imageName: `${position}.png`,
  isStarred,
})

const recordNamed = (image_name: string, starred = false) =>
  ({ image_name, starred }) as ImageRecord

test('images that came in above move what is seen down by as many places', () => {
  const seen = [seenAt(400), seenAt(401)]

  expect(shiftOf(seen, [[412, recordNamed('400.png')]])).toEqual({ from: 400, to: 412 })
})

test('the first image that is still there decides when others between were removed', () => {
  const seen = [seenAt(400), seenAt(401), seenAt(402)]
  const known: [number, ImageRecord][] = [
    [400, recordNamed('400.png')],
    [401, recordNamed('402.png')],
  ]

  expect(shiftOf(seen, known)).toEqual({ from: 400, to: 400 })
})

test('an image that was starred and jumped to the front is not followed', () => {
  const seen = [seenAt(400), seenAt(401)]
  const known: [number, ImageRecord][] = [
    [0, recordNamed('400.png', true)],
    [401, recordNamed('401.png')],
  ]

  expect(shiftOf(seen, known)).toEqual({ from: 401, to: 401 })
})

test('nothing is said when nothing is known any more', () => {
  expect(shiftOf([seenAt(400)], [[0, recordNamed('other.png')]])).toBeNull()
})

const widths = fc.integer({ min: 400, max: 2400 })

test('after any shift every image stands in its column, at its height', () => {
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

test('what comes in on later days leaves an earlier day as it is', () => {
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

test('no hole opens where a day begins on the screen', () => {
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
