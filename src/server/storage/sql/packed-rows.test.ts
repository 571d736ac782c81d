import { expect, test } from 'vitest'
import { packRows, readPacked, unpackRows } from './packed-rows.ts'

const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}.png` }))

test.each([0, 1, 500, 1234])('unpacks the same %i rows that were packed', async (count) => {
  const rows = rowsOf(count)

  expect(await unpackRows(packRows(rows))).toEqual(rows)
})

test('reads rows by their keys in parts and preserves their order', async () => {
  const keys = rowsOf(1234).map((row) => row.name)
  const sizes: number[] = []

  const packed = await readPacked(keys, async (part) => {
    sizes.push(part.length)
    return part.map((name) => ({ name }))
  })

  expect(await unpackRows(packed)).toEqual(rowsOf(1234))
  expect(sizes).toEqual([500, 500, 234])
})
