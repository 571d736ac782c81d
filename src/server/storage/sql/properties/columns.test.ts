import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Column, withPart } from './columns.ts'

const anyPart = fc.array(
  fc.tuple(
    fc.nat({ max: 300 }),
    fc.constantFrom(0, 1, 253, 254, 255, 65_534, 2 ** 32 - 2, 2 ** 45),
  ),
  { maxLength: 20 },
)

test('keeps all values, in arrays that grow in length and width', () => {
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 6 }), (parts) => {
      const expected = new Map<number, number>()
      let column: Column = new Uint8Array()
      for (const part of parts) {
        for (const [id, value] of part) expected.set(id, value)
        column = withPart(column, {
          ids: Float64Array.from(part, ([id]) => id),
          values: Float64Array.from(part, ([, value]) => value),
        })
      }
      for (let id = 0; id < column.length; id += 1)
        expect(column[id]).toBe((expected.get(id) ?? -1) + 1)
      for (const id of expected.keys()) expect(id).toBeLessThan(column.length)
    }),
  )
})

test.each([
  [254, Uint8Array],
  [255, Uint16Array],
  [65_534, Uint16Array],
  [65_535, Uint32Array],
  [2 ** 32 - 2, Uint32Array],
  [2 ** 32 - 1, Float64Array],
])('holds %d in the smallest type', (value, Type) => {
  const part = { ids: Float64Array.of(3), values: Float64Array.of(value) }

  expect(withPart(null, part)).toBeInstanceOf(Type)
})
