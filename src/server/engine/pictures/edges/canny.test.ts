import { expect, test } from 'vitest'
import { withSignal } from '#server/engine/pictures/in-slices.ts'
import type { BytePicture, PictureMode } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf } from '#testing/library/pictures.ts'
import { canny } from './canny.ts'

const drawn = (rows: readonly string[], mode: PictureMode, pixelOf: (letter: string) => unknown) =>
  pictureOf(mode, rows.map((row) => [...row].map(pixelOf)) as number[][]) as BytePicture

/** Each digit is a gray value divided by ten. */
const gray = (...rows: string[]) => drawn(rows, 'L', (digit) => Number(digit) * 10)

const edgesOf = async (picture: BytePicture, low: number, high: number): Promise<string[]> =>
  rowsOf(await canny(picture, { low, high })).map((row) =>
    row.map((value) => (value === 255 ? '#' : value === 0 ? '.' : '?')).join(''),
  )

test('marks a step with an edge of one pixel on its left', async () => {
  // 4 times the step in both columns next to it. The first of two equal maxima remains.
  expect(await edgesOf(gray('000999', '000999', '000999'), 100, 200)).toEqual([
    '..#...',
    '..#...',
    '..#...',
  ])
})

test('marks a downward step with an edge above it', async () => {
  expect(await edgesOf(gray('000', '000', '999', '999'), 100, 200)).toEqual([
    '...',
    '###',
    '...',
    '...',
  ])
})

test('computes 4 times a step and requires more than the threshold', async () => {
  const step = gray('00055', '00055')

  expect(await edgesOf(step, 10, 199)).toEqual(['..#..', '..#..'])
  expect(await edgesOf(step, 10, 200)).toEqual(['.....', '.....'])
})

test('accepts the thresholds in either order', async () => {
  const step = gray('00055', '00055')

  expect(await edgesOf(step, 199, 10)).toEqual(await edgesOf(step, 10, 199))
})

test('retains a weak edge that continues a strong one', async () => {
  const fading = ['00099', '00088', '00077', '00066', '00055', '00044', '00033']

  // The third column has 350 + 30, 320 + 60, 280 + 60 and so on, finally 130 + 30. The second changes less downwards.
  expect(await edgesOf(gray(...fading), 159, 379)).toEqual(Array(7).fill('...#.'))
  expect(await edgesOf(gray(...fading), 160, 379).then((rows) => rows.at(-1))).toEqual('.....')
  expect(await edgesOf(gray(...fading), 159, 380)).toEqual(Array(7).fill('.....'))
})

/** Draws falling diagonals of one value each: a digit for each sum of x and y. */
const diagonals = (digits: string, width: number, height: number) =>
  gray(...Array.from({ length: height }, (_, y) => digits.slice(y, y + width)))

/** Drops the border, where repeated edge pixels disturb the diagonals. */
const inside = (rows: readonly string[]) => rows.slice(1, -1).map((row) => row.slice(1, -1))

test('marks both sides of a diagonal step', async () => {
  const edges = await edgesOf(diagonals('0000000999999', 8, 6), 100, 200)

  // 2 * 3 * 90 on both sides, 180 one pixel further, then 0. Both are steeper than their neighbors across the edge.
  expect(inside(edges)).toEqual(['....##', '...##.', '..##..', '.##...'])
})

test('marks neither of two equally steep pixels across a corner', async () => {
  const edges = await edgesOf(diagonals('0000000488888', 8, 6), 100, 200)

  // 3 * 80 in the middle of the step, 2 * 80 on either side of it
  expect(inside(edges)).toEqual(['.....#', '....#.', '...#..', '..#...'])
})

test('uses the band with the largest change', async () => {
  const colors: Record<string, number[]> = { a: [10, 10, 10], b: [20, 10, 99] }
  const picture = drawn(['aab', 'aab'], 'RGB', (letter) => colors[letter])

  // 4 * 89 in blue. Its luma changes only by 12.
  expect(await edgesOf(picture, 355, 355)).toEqual(['.#.', '.#.'])
  expect(await edgesOf(picture, 356, 356)).toEqual(['...', '...'])
})

test.each(['5', '55555', '00000'])('finds no edge in %s', async (row) => {
  expect(await edgesOf(gray(row), 0, 0)).toEqual(['.'.repeat(row.length)])
})

test('stops when it is canceled', async () => {
  const signal = AbortSignal.abort(new Error('canceled'))

  await expect(withSignal(signal, () => canny(gray('09'), { low: 0, high: 0 }))).rejects.toThrow(
    'canceled',
  )
})
