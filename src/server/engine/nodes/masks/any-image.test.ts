import { expect, test } from 'vitest'
import { emptyPicture, type Picture, type PictureMode } from '#server/engine/pictures/picture.ts'
import { pictureOf, runPictureNode } from '#testing/library/pictures.ts'

const color = { r: 1, g: 2, b: 3, a: 4 }
const edges = { edge_size: 3, edge_blur: 2, low_threshold: 0, high_threshold: 0 }

/** The inputs of each node if all of its images are the same, and the mode of its result. */
const nodes: [type: string, inputsOf: (image: Picture) => Record<string, unknown>, PictureMode][] =
  [
    ['tomask', (image) => ({ image, invert: true }), 'L'],
    ['mask_combine', (image) => ({ mask1: image, mask2: image }), 'L'],
    ['mask_from_id', (image) => ({ image, color, invert: true }), 'L'],
    ['mask_edge', (image) => ({ image, ...edges }), 'L'],
    ['expand_mask_with_fade', (image) => ({ mask: image }), 'L'],
    ['apply_mask_to_image', (image) => ({ image, mask: image, invert_mask: true }), 'RGBA'],
    ['canny_edge_detection', (image) => ({ image, low_threshold: 0, high_threshold: 0 }), 'RGB'],
    ['color_map', (image) => ({ image }), 'RGB'],
    [
      'color_correct',
      (image) => ({ base_image: image, color_reference: image, mask: image, colorspace: 'YCbCr' }),
      'RGBA',
    ],
    [
      'paste_image_into_bounding_box',
      (image) => ({
        source_image: image,
        target_image: image,
        bounding_box: { x_min: 0, x_max: image.width, y_min: 0, y_max: image.height },
      }),
      'RGBA',
    ],
  ]

const pixels: Picture[] = [
  pictureOf('L', [[0]]),
  pictureOf('LA', [[[255, 0]]]),
  pictureOf('RGB', [[[1, 2, 3]]]),
  pictureOf('RGBA', [[[1, 2, 3, 4]]]),
  pictureOf('I', [[65_535]]),
]

test.each(nodes)('%s works on one pixel of any mode', async (type, inputsOf, mode) => {
  for (const pixel of pixels) {
    const made = await runPictureNode(type, inputsOf(pixel))

    expect(made).toMatchObject({ mode, width: 1, height: 1 })
  }
})

test.each(nodes)('%s does not change the pixels of its input', async (type, inputsOf) => {
  for (const pixel of pixels) {
    const before = structuredClone(pixel)
    await runPictureNode(type, inputsOf(pixel))

    expect(pixel).toEqual(before)
  }
})

test.each(nodes)('%s stops when it is canceled', async (type, inputsOf) => {
  const signal = AbortSignal.abort(new Error('canceled'))
  const inputs = inputsOf(emptyPicture('LA', 3, 3))

  await expect(runPictureNode(type, inputs, { signal })).rejects.toThrow('canceled')
})
