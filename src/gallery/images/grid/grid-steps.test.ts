import fc from 'fast-check'
import { expect, test } from 'vitest'
import { geometryOf } from './grid-geometry.ts'
import { layoutOf, plainLayoutOf } from './grid-layout.ts'
import { centerOf, columnOf } from './grid-rows.ts'
import { ColumnMemory, type StepKey, stepFrom } from './grid-steps.ts'

const five = { ...geometryOf(1000, 180), columns: 5 }
const pagePx = 3 * five.rowPx
const plain = { layout: plainLayoutOf(five, 23), pagePx, first: 0 }
/** Positions by group: 0-6, 7-8, 9-20. */
const byDay = {
  layout: layoutOf(five, [
    { key: 'a', count: 7 },
    { key: 'b', count: 2 },
    { key: 'c', count: 12 },
  ]),
  pagePx,
  first: 0,
}

test.each<[StepKey, number, number]>([
  ['ArrowRight', 4, 5],
  ['ArrowLeft', 0, 0],
  ['ArrowUp', 3, 3],
  ['ArrowDown', 3, 8],
  ['ArrowDown', 19, 22],
  ['ArrowDown', 21, 21],
  ['PageDown', 1, 16],
  ['PageDown', 19, 22],
  ['PageUp', 12, 2],
  ['Home', 12, 0],
  ['End', 12, 22],
])('%s from %i moves to %i', (key, from, to) => {
  expect(stepFrom(from, key, plain)).toBe(to)
})

test.each<[StepKey, number, number]>([
  ['ArrowRight', 6, 7],
  ['ArrowDown', 1, 6],
  ['ArrowDown', 6, 8],
  ['ArrowDown', 7, 9],
  ['ArrowUp', 9, 7],
  ['ArrowUp', 8, 6],
  ['ArrowUp', 3, 3],
  ['ArrowDown', 20, 20],
  ['PageUp', 3, 3],
  ['End', 0, 20],
])('across headings %s from %i moves to %i', (key, from, to) => {
  expect(stepFrom(from, key, byDay)).toBe(to)
})

test('returns to the starting column after a short day', () => {
  const at = stepFrom(3, 'ArrowDown', { ...byDay, xPx: centerOf(byDay.layout, 3) })
  const then = stepFrom(at, 'ArrowDown', { ...byDay, xPx: centerOf(byDay.layout, 3) })

  expect([at, then]).toEqual([6, 8])
  expect(stepFrom(then, 'ArrowDown', { ...byDay, xPx: centerOf(byDay.layout, 3) })).toBe(12)
})

test('starts at the first visible image if there is no focus', () => {
  expect(stepFrom(null, 'ArrowDown', { ...plain, first: 10 })).toBe(10)
  expect(stepFrom(null, 'End', { ...plain, first: 10 })).toBe(22)
})

const counts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 })
const layouts = counts.map((all) =>
  layoutOf(
    five,
    all.map((count, at) => ({ key: `${at}`, count })),
  ),
)

test('never moves out of the view or against the direction of the key', () => {
  const keys = fc.constantFrom<StepKey>('ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'ArrowLeft')
  fc.assert(
    fc.property(keys, layouts, fc.nat(), (key, layout, at) => {
      const from = at % layout.total
      const to = stepFrom(from, key, { layout, pagePx, first: 0 })

      const isDown = key === 'ArrowDown' || key === 'PageDown'
      expect(to).toBeGreaterThanOrEqual(isDown ? from : 0)
      expect(to).toBeLessThan(isDown ? layout.total : from + 1)
    }),
  )
})

test('visits every row going down, and the same rows going up', () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      const options = { layout, pagePx, first: 0, xPx: 0 }
      const down = [0]
      for (;;) {
        const next = stepFrom(down.at(-1) ?? 0, 'ArrowDown', options)
        if (next === down.at(-1)) break
        down.push(next)
      }
      const up = [...down].reverse().map((from) => stepFrom(from, 'ArrowUp', options))

      expect(down).toHaveLength(layout.rowCount - layout.groups.length)
      expect(down.every((position) => columnOf(layout, position) === 0)).toBe(true)
      expect(up).toEqual([...down.slice(0, -1).reverse(), 0])
    }),
  )
})

test('ColumnMemory returns to the starting column after a short day', () => {
  const columns = new ColumnMemory()

  const at = columns.stepFrom(3, 'ArrowDown', byDay)
  const then = columns.stepFrom(at, 'ArrowDown', byDay)

  expect([at, then, columns.stepFrom(then, 'ArrowDown', byDay)]).toEqual([6, 8, 12])
})

test('ColumnMemory forgets the column after a horizontal step, and when another image has the focus', () => {
  const columns = new ColumnMemory()

  columns.stepFrom(3, 'ArrowDown', byDay)
  columns.stepFrom(6, 'ArrowLeft', byDay)

  expect(columns.stepFrom(5, 'ArrowDown', byDay)).toBe(7)
  expect(columns.stepFrom(8, 'ArrowDown', byDay)).toBe(10)
})
