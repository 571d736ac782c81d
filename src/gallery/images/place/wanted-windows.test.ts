import { expect, test } from 'vitest'
import { geometryOf } from '#gallery/images/grid/grid-geometry.ts'
import { wantedWindows } from './wanted-windows.ts'

const geometry = { ...geometryOf(1200, 180), columns: 10 }
const nothing = { geometry, lead: 0, total: 100_000, remembered: null }

test('orders the windows on the screen before those within a screen of it', () => {
  expect(wantedWindows({ ...nothing, rows: { startIndex: 50, endIndex: 53 } })).toEqual([2])
  expect(wantedWindows({ ...nothing, rows: { startIndex: 36, endIndex: 39 } })).toEqual([1, 2])
  expect(wantedWindows({ ...nothing, rows: { startIndex: 40, endIndex: 43 } })).toEqual([2, 1])
})

test('returns no window beyond the last image', () => {
  expect(wantedWindows({ ...nothing, total: 30, rows: { startIndex: 0, endIndex: 9 } })).toEqual([
    0,
  ])
})

test('returns the window of the remembered place before the first layout', () => {
  const remembered = { imageName: 'a.png', position: 4321, offsetPx: 0, total: 5000 }

  expect(wantedWindows({ ...nothing, remembered, rows: null })).toEqual([21])
})
