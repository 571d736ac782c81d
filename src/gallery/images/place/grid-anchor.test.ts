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

test('shifts the visible images down by the number of images inserted above', () => {
  const seen = [seenAt(400), seenAt(401)]

  expect(shiftOf(seen, [[412, recordNamed('400.png')]])).toEqual({ from: 400, to: 412 })
})

test('uses the first image that still exists after others were removed', () => {
  const seen = [seenAt(400), seenAt(401), seenAt(402)]
  const known: [number, ImageRecord][] = [
    [400, recordNamed('400.png')],
    [401, recordNamed('402.png')],
  ]

  expect(shiftOf(seen, known)).toEqual({ from: 400, to: 400 })
})

test('ignores an image that moved to the front because it was starred', () => {
  const seen = [seenAt(400), seenAt(401)]
  const known: [number, ImageRecord][] = [
    [0, recordNamed('400.png', true)],
    [401, recordNamed('401.png')],
  ]

  expect(shiftOf(seen, known)).toEqual({ from: 401, to: 401 })
})

test('returns null when none of the visible images is known', () => {
  expect(shiftOf([seenAt(400)], [[0, recordNamed('other.png')]])).toBeNull()
})

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
