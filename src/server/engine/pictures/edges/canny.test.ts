import { expect, test } from 'vitest'
import type { BytePicture, PictureMode } from '#server/engine/pictures/picture.ts'
import { neverAborted, pictureOf, rowsOf } from '#testing/library/pictures.ts'
import { canny } from './canny.ts'

const drawn = (rows: readonly string[], mode: PictureMode, pixelOf: (letter: string) => unknown) =>
  pictureOf(mode, rows.map((row) => [...row].map(pixelOf)) as number[][]) as BytePicture

/** Digits are tens of grey. */
const grey = (...rows: string[]) => drawn(rows, 'L', (digit) => Number(digit) * 10)

const edgesOf = async (picture: BytePicture, low: number, high: number): Promise<string[]> =>
  rowsOf(await canny(picture, { low, high }, neverAborted)).map((row) =>
    row.map((value) => (value === 255 ? '#' : value === 0 ? '.' : '?')).join(''),
  )

test('a step is an edge a pixel wide, on its left', async () => {
  // 4 times the step, in both columns beside it: the first of two equals stays
  expect(await edgesOf(grey('000999', '000999', '000999'), 100, 200)).toEqual([
    '..#...',
    '..#...',
    '..#...',
  ])
})

test('a step downwards is an edge above it', async () => {
  expect(await edgesOf(grey('000', '000', '999', '999'), 100, 200)).toEqual([
    '...',
    '###',
    '...',
    '...',
  ])
})

test('strength is 4 times a step, and has to be more than the threshold', async () => {
  const step = grey('00055', '00055')

  expect(await edgesOf(step, 10, 199)).toEqual(['..#..', '..#..'])
  expect(await edgesOf(step, 10, 200)).toEqual(['.....', '.....'])
})

test('thresholds may come in either order', async () => {
  const step = grey('00055', '00055')

  expect(await edgesOf(step, 199, 10)).toEqual(await edgesOf(step, 10, 199))
})

test('a weak edge stays where it continues a strong one', async () => {
  const fading = ['00099', '00088', '00077', '00066', '00055', '00044', '00033']

  // In the third column 350 + 30, 320 + 60, 280 + 60 and so on, at last 130 + 30; the second changes less downwards.
  expect(await edgesOf(grey(...fading), 159, 379)).toEqual(Array(7).fill('...#.'))
  expect(await edgesOf(grey(...fading), 160, 379).then((rows) => rows.at(-1))).toEqual('.....')
  expect(await edgesOf(grey(...fading), 159, 380)).toEqual(Array(7).fill('.....'))
})

/** What lies on a falling diagonal is alike: a digit for each sum of x and y. */
const diagonals = (digits: string, width: number, height: number) =>
  grey(...Array.from({ length: height }, (_, y) => digits.slice(y, y + width)))

/** Without the border, where the picture does not go on as it should. */
const inside = (rows: readonly string[]) => rows.slice(1, -1).map((row) => row.slice(1, -1))

test('a diagonal step is an edge on both of its sides', async () => {
  const edges = await edgesOf(diagonals('0000000999999', 8, 6), 100, 200)

  // Twice 3 * 90 on both sides, 180 a pixel further, 0 beyond: both are steeper than what lies across.
  expect(inside(edges)).toEqual(['....##', '...##.', '..##..', '.##...'])
})

test('of two that are as steep across the corner, neither is an edge', async () => {
  const edges = await edgesOf(diagonals('0000000488888', 8, 6), 100, 200)

  // 3 * 80 in the middle of the step, 2 * 80 on either side of it
  expect(inside(edges)).toEqual(['.....#', '....#.', '...#..', '..#...'])
})

test('the band that changes most counts', async () => {
  const colours: Record<string, number[]> = { a: [10, 10, 10], b: [20, 10, 99] }
  const picture = drawn(['aab', 'aab'], 'RGB', (letter) => colours[letter])

  // 4 * 89 in blue; its luma changes by 12 only
  expect(await edgesOf(picture, 355, 355)).toEqual(['.#.', '.#.'])
  expect(await edgesOf(picture, 356, 356)).toEqual(['...', '...'])
})

test.each(['5', '55555', '00000'])('nothing is an edge in %s', async (row) => {
  expect(await edgesOf(grey(row), 0, 0)).toEqual(['.'.repeat(row.length)])
})

test('looking for edges ends when it is canceled', async () => {
  const signal = AbortSignal.abort(new Error('canceled'))

  await expect(canny(grey('09'), { low: 0, high: 0 }, signal)).rejects.toThrow('canceled')
})
