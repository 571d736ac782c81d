import { expect, test } from 'vitest'
import { columnsFor, typicalShape } from './stage-columns.ts'

const square = { width: 1, height: 1 }
const wide = { width: 16, height: 9 }
const tall = { width: 2, height: 3 }
const desktop = { width: 1440, height: 800 }
const phone = { width: 390, height: 700 }

test.each([
  [2, square, desktop, 2],
  [2, { width: 4, height: 1 }, desktop, 1],
  [2, wide, phone, 1],
  [3, tall, desktop, 3],
  [4, wide, desktop, 2],
  [9, wide, desktop, 3],
])('puts %i images of shape %j in %j into %i columns', (count, shape, room, columns) => {
  expect(columnsFor(count, shape, room)).toBe(columns)
})

test('takes the middle shape, so that one panorama changes nothing', () => {
  const { width } = typicalShape([square, { width: 10, height: 1 }, square])
  expect(width).toBe(1)
})
