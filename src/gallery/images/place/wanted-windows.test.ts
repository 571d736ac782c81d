import { expect, test } from 'vitest'
import { wantedWindows } from './wanted-windows.ts'

const nothing = { total: 100_000, remembered: null }

test('orders the windows on the screen before those within a screen of it', () => {
  expect(wantedWindows({ ...nothing, positions: { from: 500, to: 539 } })).toEqual([2])
  expect(wantedWindows({ ...nothing, positions: { from: 360, to: 399 } })).toEqual([1, 2])
  expect(wantedWindows({ ...nothing, positions: { from: 400, to: 439 } })).toEqual([2, 1])
})

test('returns no window beyond the last image', () => {
  expect(wantedWindows({ ...nothing, total: 30, positions: { from: 0, to: 99 } })).toEqual([0])
})

test('returns the window of the remembered place before the first layout', () => {
  const remembered = { imageName: 'a.png', position: 4321, offsetPx: 0, total: 5000 }

  expect(wantedWindows({ ...nothing, remembered, positions: null })).toEqual([21])
})
