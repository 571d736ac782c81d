import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_RATIO, MIN_RATIO, RATIO_UNIT } from '#contract/image-ratio.ts'
import { WINDOW_SIZE } from '#gallery/api/images/image-windows.ts'
import { geometryOf } from './grid-geometry.ts'
import { BOTTOM_PX, layoutOf, plainLayoutOf } from './grid-layout.ts'
import {
  contentOfRow,
  heightOfRow,
  positionNear,
  positionsTouched,
  rowAt,
  rowOf,
  topOfPosition,
  topOfRow,
} from './grid-rows.ts'
import { stepFrom } from './grid-steps.ts'
import { RatioIndex } from './ratio-index.ts'

const anyRatio = fc.integer({ min: MIN_RATIO, max: MAX_RATIO })
/** The usual shapes: 3:2, 16:9, square, and upright. */
const usualRatio = fc.constantFrom(90, 107, 60, 60, 40, 34)

const ratiosOf = (ratio: fc.Arbitrary<number>) =>
  fc.array(ratio, { minLength: 1, maxLength: 900, size: 'max' })

const widths = fc.integer({ min: 320, max: 2600 })
const tiles = fc.integer({ min: 80, max: 400 })

const sumsOf = (ratios: readonly number[]) =>
  Array.from({ length: Math.ceil(ratios.length / WINDOW_SIZE) }, (_, at) =>
    ratios.slice(at * WINDOW_SIZE, (at + 1) * WINDOW_SIZE).reduce((sum, ratio) => sum + ratio, 0),
  )

/** The windows with these numbers as loaded, or all windows. */
function indexOf(ratios: readonly number[], isLoaded: (window: number) => boolean = () => true) {
  const count = Math.ceil(ratios.length / WINDOW_SIZE)
  const loaded = new Map(
    Array.from({ length: count }, (_, at) => at)
      .filter(isLoaded)
      .map((at) => [at, Uint8Array.from(ratios.slice(at * WINDOW_SIZE, (at + 1) * WINDOW_SIZE))]),
  )
  const group = { day: null, count: ratios.length, sums: sumsOf(ratios) }
  return new RatioIndex({ groups: [group] }, loaded)
}

const layoutFor = (widthPx: number, tilePx: number, total: number, ratios: RatioIndex) =>
  plainLayoutOf(geometryOf(widthPx, tilePx), total, undefined, undefined, ratios)

const layouts = fc
  .record({ ratios: ratiosOf(fc.oneof(anyRatio, usualRatio)), widthPx: widths, tilePx: tiles })
  .map(({ ratios, widthPx, tilePx }) => layoutFor(widthPx, tilePx, ratios.length, indexOf(ratios)))

test('places every image once, in order, without overlaps and inside the grid', () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      const { geometry, rowCount } = layout
      const right = geometry.leftPx + geometry.columns * (geometry.cellPx + geometry.gapPx)
      let next = 0
      for (let row = 0; row < rowCount; row += 1) {
        const content = contentOfRow(layout, row)
        if (!('from' in content) || content.boxes === null) throw new Error('Not a justified row.')
        expect(content.from).toBe(next)
        expect(content.to).toBeGreaterThanOrEqual(content.from)
        expect(content.boxes.length).toBe(content.to - content.from + 1)
        let edge = geometry.leftPx
        for (const { leftPx, widthPx } of content.boxes) {
          expect(leftPx).toBeGreaterThanOrEqual(edge)
          expect(widthPx).toBeGreaterThan(0)
          edge = leftPx + widthPx
        }
        expect(edge).toBeLessThanOrEqual(right)
        next = content.to + 1
      }
      expect(next).toBe(layout.total)
    }),
  )
})

test('adds up the heights of the rows to the height of the content', () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      let top = layout.geometry.topPx
      for (let row = 0; row < layout.rowCount; row += 1) {
        expect(topOfRow(layout, row)).toBe(top)
        expect(heightOfRow(layout, row)).toBeGreaterThan(layout.geometry.gapPx)
        top += heightOfRow(layout, row)
      }
      expect(layout.heightPx - top).toBe(BOTTOM_PX)
    }),
  )
})

test('maps positions, rows and pixels to each other', () => {
  fc.assert(
    fc.property(layouts, fc.nat(), (layout, at) => {
      const position = at % layout.total
      const row = rowOf(layout, position)
      const content = contentOfRow(layout, row)
      if (!('from' in content) || content.boxes === null) throw new Error('Not a justified row.')
      const box = content.boxes[position - content.from]

      expect(box).toBeDefined()
      expect(positionNear(layout, row, (box?.leftPx ?? 0) + (box?.widthPx ?? 0) / 2)).toBe(position)
      expect(rowAt(layout, topOfRow(layout, row))).toBe(row)
      expect(rowAt(layout, topOfRow(layout, row) + heightOfRow(layout, row) - 1)).toBe(row)
    }),
  )
})

/** Returns the shares of the width and height of images that their tiles show, the smallest first. */
function shownShares(layout: ReturnType<typeof layoutFor>, ratios: readonly number[]): number[] {
  const shares: number[] = []
  for (let row = 0; row < layout.rowCount; row += 1) {
    const content = contentOfRow(layout, row)
    if (!('from' in content)) continue
    const heightPx = heightOfRow(layout, row) - layout.geometry.gapPx
    for (const [at, { widthPx }] of (content.boxes ?? []).entries()) {
      const shown = widthPx / heightPx
      const own = (ratios[content.from + at] ?? 0) / RATIO_UNIT
      shares.push(Math.min(shown / own, own / shown))
    }
  }
  return shares.sort((a, b) => a - b)
}

describe('proportions', () => {
  test('crops images of usual shapes by a few percent only', () => {
    const wide = fc.integer({ min: 1000, max: 2600 })
    const small = fc.integer({ min: 80, max: 200 })
    fc.assert(
      fc.property(ratiosOf(usualRatio), wide, small, (ratios, widthPx, tilePx) => {
        const layout = layoutFor(widthPx, tilePx, ratios.length, indexOf(ratios))
        expect(shownShares(layout, ratios)[0]).toBeGreaterThan(0.93)
      }),
    )
  })

  // A narrow row of few images with very different shapes is the worst case: 0.61 in 60,000 random layouts.
  test('shows most of every image in any width, tile size and mixture of shapes', () => {
    fc.assert(
      fc.property(ratiosOf(usualRatio), widths, tiles, (ratios, widthPx, tilePx) => {
        const layout = layoutFor(widthPx, tilePx, ratios.length, indexOf(ratios))
        expect(shownShares(layout, ratios)[0]).toBeGreaterThan(0.5)
      }),
    )
  })
})

test('changes no height when images are loaded', () => {
  fc.assert(
    fc.property(ratiosOf(anyRatio), widths, tiles, fc.nat(4), (ratios, widthPx, tilePx, at) => {
      const unknown = layoutFor(
        widthPx,
        tilePx,
        ratios.length,
        indexOf(ratios, () => false),
      )
      const loaded = layoutFor(
        widthPx,
        tilePx,
        ratios.length,
        indexOf(ratios, (one) => one === at),
      )

      expect(loaded.heightPx).toBe(unknown.heightPx)
      expect(loaded.rowCount).toBe(unknown.rowCount)
      for (let first = 0; first < ratios.length; first += WINDOW_SIZE) {
        // A short rest belongs to the segment before it.
        if (ratios.length - first < WINDOW_SIZE / 2 && first > 0) continue
        expect(topOfPosition(loaded, first)).toBe(topOfPosition(unknown, first))
      }
    }),
  )
})

test('keeps the rows of a day together, below its heading', () => {
  const ratios = [90, 90, 40, 60, 60, 60, 60]
  const groups = [
    { key: '2026-05-02', count: 3 },
    { key: '2026-05-01', count: 4 },
  ]
  const answer = {
    groups: groups.map(({ key, count }, at) => ({
      ...{ day: key, count },
      sums: [at === 0 ? 220 : 240],
    })),
  }
  const index = new RatioIndex(answer, new Map([[0, Uint8Array.from(ratios)]]))

  const layout = layoutOf(geometryOf(1000, 180), groups, undefined, undefined, index)

  expect(layout.rowCount).toBe(4)
  expect(contentOfRow(layout, 1)).toMatchObject({ from: 0, to: 2 })
  expect(contentOfRow(layout, 3)).toMatchObject({ from: 3, to: 6 })
})

test('keeps a short last row at the wanted height, aligned to the left', () => {
  const layout = layoutFor(1000, 180, 2, indexOf([60, 60]))
  const { cellPx, leftPx, gapPx } = layout.geometry

  expect(contentOfRow(layout, 0)).toMatchObject({
    boxes: [
      { leftPx, widthPx: cellPx },
      { leftPx: leftPx + cellPx + gapPx, widthPx: cellPx },
    ],
  })
})

test('moves up and down to the nearest image', () => {
  fc.assert(
    fc.property(layouts, fc.nat(), (layout, at) => {
      const from = at % layout.total
      const options = { layout, pagePx: 300, first: 0 }

      const down = stepFrom(from, 'ArrowDown', options)

      expect(rowOf(layout, down)).toBe(Math.min(rowOf(layout, from) + 1, layout.rowCount - 1))
      expect(stepFrom(from, 'PageUp', options)).toBeLessThanOrEqual(from)
    }),
  )
})

test('finds exactly the images that a rectangle overlaps', () => {
  const rectangles = fc.record({
    left: fc.nat(1000),
    top: fc.nat(1500),
    w: fc.nat(700),
    h: fc.nat(700),
  })
  fc.assert(
    fc.property(layouts, rectangles, (layout, { left, top, w, h }) => {
      const rectangle = { left, top, right: left + w, bottom: top + h }
      const touched = new Set(
        positionsTouched(layout, rectangle).flatMap(({ from, to }) =>
          Array.from({ length: to - from + 1 }, (_, at) => from + at),
        ),
      )
      for (let row = 0; row < layout.rowCount; row += 1) {
        const content = contentOfRow(layout, row)
        if (!('from' in content)) continue
        const rowTop = topOfRow(layout, row)
        const rowBottom = rowTop + heightOfRow(layout, row) - layout.geometry.gapPx
        for (const [at, { leftPx, widthPx }] of (content.boxes ?? []).entries()) {
          const isTouched =
            leftPx <= rectangle.right &&
            leftPx + widthPx >= left &&
            rowTop <= rectangle.bottom &&
            rowBottom >= top
          expect(touched.has(content.from + at)).toBe(isTouched)
        }
      }
    }),
  )
})

test('places a million images from their sums alone', () => {
  const group = { day: null, count: 1_000_000, sums: Array.from({ length: 5000 }, () => 200 * 80) }
  const layout = layoutFor(1440, 184, 1_000_000, new RatioIndex({ groups: [group] }, new Map()))

  expect(rowOf(layout, 999_999)).toBe(layout.rowCount - 1)
  expect(topOfPosition(layout, 500_000)).toBeCloseTo(layout.heightPx / 2, -3)
})
