import { expect, test } from 'vitest'
import { nodeCatalog } from '#server/engine/nodes/index.ts'
import { pictureOf, rowsOf, runPictureNode } from '#testing/library/pictures.ts'

test('makes a blank image of 512 x 512 black pixels by default', async () => {
  const blank = await runPictureNode('blank_image', {})

  expect(blank).toMatchObject({ mode: 'RGB', width: 512, height: 512 })
  expect(blank.data.every((value) => value === 0)).toBe(true)
})

test.each([
  ['RGB', [1, 2, 3]],
  ['RGBA', [1, 2, 3, 4]],
])('fills a blank %s image with the color', async (mode, pixel) => {
  const color = { r: 1, g: 2, b: 3, a: 4 }

  const blank = await runPictureNode('blank_image', { mode, color, width: 3, height: 5 })

  expect(rowsOf(blank)).toEqual(Array(5).fill(Array(3).fill(pixel)))
})

test.each([
  [0, 5],
  [5, -1],
])('fails to make a blank image of %d x %d', async (width, height) => {
  await expect(runPictureNode('blank_image', { width, height })).rejects.toMatchObject({
    name: 'NodeFault',
    type: 'ImageFileSaveException',
  })
})

test('refuses a blank image with too many pixels before allocating memory', async () => {
  const size = { width: 2_000_000_000, height: 2_000_000_000 }

  await expect(runPictureNode('blank_image', size)).rejects.toThrow(/more than this server's limit/)
})

test.each(['save_image', 'canvas_output'])(
  '%s copies the image unchanged and bypasses the cache',
  async (type) => {
    const image = pictureOf('LA', [[[1, 2]]])

    expect(await runPictureNode(type, { image })).toEqual(image)
    expect(nodeCatalog.get(type)?.usesCache).toBe(false)
  },
)

test('has no board input only for canvas outputs and padded images', async () => {
  const takesBoard = (type: string) => nodeCatalog.get(type)?.saving?.hasBoard

  expect(takesBoard('canvas_output')).toBe(false)
  expect(takesBoard('img_pad_crop')).toBe(false)
  expect(takesBoard('save_image')).toBe(true)
})
