import { expect, test } from 'vitest'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

const rgb = (value: number) => [value, value, value]

test('draws blocks of the average color as RGB', async () => {
  const image = pictureOf('L', [
    [0, 40, 7, 7],
    [80, 120, 7, 7],
    [200, 200, 0, 255],
    [200, 200, 0, 255],
  ])

  // 127.5 is rounded up
  expect(rowsOf(await runPictureNode('color_map', { image, tile_size: 2 }))).toEqual([
    [rgb(60), rgb(60), rgb(7), rgb(7)],
    [rgb(60), rgb(60), rgb(7), rgb(7)],
    [rgb(200), rgb(200), rgb(128), rgb(128)],
    [rgb(200), rgb(200), rgb(128), rgb(128)],
  ])
})

test('enlarges blocks if the image is not a multiple of the tile', async () => {
  const image = pictureOf('L', [[10, 20, 30, 90, 100]])

  // 5 pixels make 2 blocks of 2.5; nearest-neighbor scaling assigns the middle pixel to one of them
  const [row = []] = rowsOf(await runPictureNode('color_map', { image, tile_size: 2 }))

  expect(new Set(row.map(String)).size).toBe(2)
  expect(row).toHaveLength(5)
})

test('draws one block if the tile is larger than the image', async () => {
  const image = pictureOf('RGBA', [
    [
      [0, 100, 200, 0],
      [50, 200, 100, 255],
    ],
  ])

  expect(rowsOf(await runPictureNode('color_map', { image }))).toEqual([
    [
      [25, 150, 150],
      [25, 150, 150],
    ],
  ])
})

test('changes nothing with tiles of one pixel and refuses tiles of zero', async () => {
  const image = pictureOf('RGB', [[[1, 2, 3]], [[4, 5, 6]]])

  expect(await runPictureNode('color_map', { image, tile_size: 1 })).toEqual(image)
  await expect(runPictureNode('color_map', { image, tile_size: 0 })).rejects.toThrow(/^refused: /)
})
