import { describe, expect, test } from 'vitest'
import {
  fitInto,
  layOutSheet,
  MAX_COLUMNS,
  MAX_ON_SHEET,
  sheetRefusal,
  shortened,
} from './sheet-layout.ts'

describe.each(['png', 'pdf'] as const)('a contact sheet as %s', (format) => {
  test.each([1, 2, 7, MAX_COLUMNS])('places all pictures on its pages in %i columns', (columns) => {
    for (const hasNames of [true, false]) {
      for (const count of [1, 5, 37, MAX_ON_SHEET[format]]) {
        const pages = layOutSheet(format, { count, columns, hasNames })

        expect(pages.flatMap(({ boxes }) => boxes)).toHaveLength(count)
        for (const { boxes, width, height } of pages) {
          expect(width * height).toBeLessThanOrEqual(16_000_000)
          expect(Math.max(width, height)).toBeLessThanOrEqual(16_000)
          for (const box of boxes) {
            expect(box.x + box.width).toBeLessThan(width)
            expect(box.y + box.height).toBeLessThan(height)
          }
        }
      }
    }
  })
})

test('places pictures in rows without overlap', () => {
  const [page] = layOutSheet('png', { count: 5, columns: 2, hasNames: true })
  const [first, second, third] = page?.boxes ?? []

  expect(second?.x).toBeGreaterThan((first?.x ?? 0) + (first?.width ?? 0))
  expect(second?.y).toBe(first?.y)
  expect(third?.x).toBe(first?.x)
  expect(third?.y).toBeGreaterThan((first?.y ?? 0) + (first?.height ?? 0) + (page?.textPx ?? 0))
})

test('draws a wide picture in the middle of its box', () => {
  const box = { x: 10, y: 10, width: 100, height: 100 }

  expect(fitInto(box, { width: 200, height: 50 })).toEqual({
    x: 10,
    y: 47.5,
    width: 100,
    height: 25,
  })
})

test.each([
  [10, 'castle.png'],
  [9, 'castl….png'],
  [5, 'cas…ng'],
  [2, 'c…g'],
])('keeps the beginning and the end of a name: %i characters', (kept, short) => {
  expect(shortened('castle.png', kept)).toBe(short)
})

test('says how many images fit', () => {
  expect(sheetRefusal('png', 200)).toBeNull()
  expect(sheetRefusal('png', 201)).toBe(
    'A contact sheet as PNG has at most 200 images. Select fewer, or choose PDF.',
  )
  expect(sheetRefusal('pdf', 1001)).toBe(
    'A contact sheet as PDF has at most 1000 images. Select fewer.',
  )
})
