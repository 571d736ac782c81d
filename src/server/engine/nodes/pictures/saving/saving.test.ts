import { expect, test } from 'vitest'
import { nodeCatalog } from '#server/engine/nodes/index.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

test('a blank image is black and 512 pixels square', async () => {
  const blank = await runPictureNode('blank_image', {})

  expect(blank).toMatchObject({ mode: 'RGB', width: 512, height: 512 })
  expect(blank.data.every((value) => value === 0)).toBe(true)
})

test.each([
  ['RGB', [1, 2, 3]],
  ['RGBA', [1, 2, 3, 4]],
])('every pixel of a blank %s image has its colour', async (mode, pixel) => {
  const color = { r: 1, g: 2, b: 3, a: 4 }

  const blank = await runPictureNode('blank_image', { mode, color, width: 3, height: 5 })

  expect(rowsOf(blank)).toEqual(Array(5).fill(Array(3).fill(pixel)))
})

test.each([
  [0, 5],
  [5, -1],
])('a blank image of %d x %d fails when it is made', async (width, height) => {
  await expect(runPictureNode('blank_image', { width, height })).rejects.toMatchObject({
    name: 'NodeFault',
    type: 'ImageFileSaveException',
  })
})

test('a blank image of too many pixels is refused before memory is taken', async () => {
  const size = { width: 2_000_000_000, height: 2_000_000_000 }

  await expect(runPictureNode('blank_image', size)).rejects.toThrow(/more than this server's limit/)
})

test.each(['save_image', 'canvas_output'])(
  '%s copies as it is and never from a cache',
  async (type) => {
    const image = pictureOf('LA', [[[1, 2]]])

    expect(await runPictureNode(type, { image })).toEqual(image)
    expect(nodeCatalog.get(type)?.usesCache).toBe(false)
  },
)

test('only images for a canvas and padded ones take no board', async () => {
  const takesBoard = (type: string) => nodeCatalog.get(type)?.saving?.hasBoard

  expect(takesBoard('canvas_output')).toBe(false)
  expect(takesBoard('img_pad_crop')).toBe(false)
  expect(takesBoard('save_image')).toBe(true)
})
