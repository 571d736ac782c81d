import { expect, test } from 'vitest'
import type { Picture } from '#server/engine/pictures/picture.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

const row = (...values: number[]) => pictureOf('L', [values])
const rgb = (values: readonly number[]) => values.map((value) => [value, value, value])

test('draws edges in white on black as RGB', async () => {
  const edges = await runPictureNode('canny_edge_detection', { image: row(0, 0, 60, 60) })

  // 4 * 60 exceeds the threshold of 200
  expect(rowsOf(edges)).toEqual([rgb([0, 255, 0, 0])])
})

test.each([
  [50, [0, 0, 0, 0]],
  [51, [0, 255, 0, 0]],
])('compares a step of %d with the threshold of 200', async (step, expected) => {
  const edges = await runPictureNode('canny_edge_detection', { image: row(0, 0, step, step) })

  expect(rowsOf(edges)).toEqual([rgb(expected)])
})

test.each([{ low_threshold: -1 }, { high_threshold: 256 }])('refuses %o', async (inputs) => {
  await expect(
    runPictureNode('canny_edge_detection', { image: row(0), ...inputs }),
  ).rejects.toThrow(/^refused: /)
})

const edgeOf = (image: Picture, edge_size: number, edge_blur = 0) =>
  runPictureNode('mask_edge', {
    image,
    edge_size,
    edge_blur,
    low_threshold: 100,
    high_threshold: 200,
  })

const step = row(0, 0, 0, 0, 255, 255, 255, 255, 255)

test.each([
  [0, [255, 255, 255, 0, 255, 255, 255, 255, 255]],
  [1, [255, 255, 255, 0, 255, 255, 255, 255, 255]],
  [2, [255, 255, 0, 0, 0, 255, 255, 255, 255]],
  [5, [255, 0, 0, 0, 0, 0, 255, 255, 255]],
  [1_000_000_000, [0, 0, 0, 0, 0, 0, 0, 0, 0]],
  [-4, [255, 255, 255, 0, 255, 255, 255, 255, 255]],
])('makes an edge of size %d black: %j', async (size, expected) => {
  expect(await edgeOf(step, size)).toEqual(row(...expected))
})

test('treats all gray pixels as part of the edge', async () => {
  // Including 1, 128 and 254, however small the difference is
  expect(await edgeOf(row(0, 1, 1, 0), 0)).toEqual(row(255, 0, 0, 255))
  expect(await edgeOf(row(254, 254), 0)).toEqual(row(0, 0))
})

test('dilates an edge with a square', async () => {
  const dot = pictureOf('L', [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 9, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
  ])

  expect(rowsOf(await edgeOf(dot, 2))).toEqual([
    [255, 255, 255, 255, 255],
    [255, 0, 0, 0, 255],
    [255, 0, 0, 0, 255],
    [255, 0, 0, 0, 255],
    [255, 255, 255, 255, 255],
  ])
})

test('blurs an edge with a box', async () => {
  // A third of 255 in each of the three pixels around it
  expect(await edgeOf(step, 0, 1)).toEqual(row(255, 255, 170, 170, 170, 255, 255, 255, 255))
})

test('finds no edge in an empty mask', async () => {
  expect(await edgeOf(row(0, 0, 0), 8, 2)).toEqual(row(255, 255, 255))
  expect(await edgeOf(row(255), 8, 2)).toEqual(row(255))
})

test('treats 16-bit values from 255 on as white', async () => {
  expect(await edgeOf(pictureOf('I', [[0, 30_000]]), 0)).toEqual(row(0, 255))
})
