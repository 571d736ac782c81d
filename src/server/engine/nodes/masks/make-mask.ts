import Type from 'typebox'
import { ColorField, ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { bandOf, multiply } from '#server/engine/pictures/blend.ts'
import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { mapBands } from '#server/engine/pictures/map-bands.ts'
import { bytesOf } from '#server/engine/pictures/modes/to-mode.ts'
import { type BytePicture, bandsOf, emptyPicture } from '#server/engine/pictures/picture.ts'

const invert = Type.Boolean({ default: false, description: 'Black for white and white for black' })
const saving = { category: 'mask' } as const

/** Copies the last channel as grayscale: alpha, or blue for RGB. */
export const toMask = definePictureNode({
  type: 'tomask',
  summary: 'Takes the alpha of an image as a mask',
  inputs: { image: ImageField, invert },
  saving,
  run: async ({ image, invert: isInverted }, { readPicture }) => {
    const picture = await bytesOf(await readPicture(image))
    const mask = await bandOf(picture, bandsOf[picture.mode] - 1)
    return isInverted ? inverted(mask) : mask
  },
})

/** Multiplies two masks: white where both are white. Masks of different sizes are aligned at the upper left. */
export const maskCombine = definePictureNode({
  type: 'mask_combine',
  summary: 'Multiplies two masks',
  inputs: { mask1: ImageField, mask2: ImageField },
  saving,
  run: async ({ mask1, mask2 }, { readAs }) =>
    multiply(await readAs(mask1, 'L'), await readAs(mask2, 'L')),
})

/** Makes a mask of pixels near a color. The distance includes all four channels. */
export const maskFromId = definePictureNode({
  type: 'mask_from_id',
  summary: 'Makes a mask of the pixels that have a colour',
  inputs: {
    image: ImageField,
    color: ColorField,
    threshold: Type.Integer({ default: 100, description: 'Nearer than this is white: 0 to 510' }),
    invert,
  },
  saving,
  run: async ({ image, color, threshold, invert: isInverted }, { readAs }) => {
    const { width, height, data } = await readAs(image, 'RGBA')
    const { r, g, b, a } = color
    const limit = Math.max(0, threshold) ** 2
    const mask = emptyPicture('L', width, height)
    await inSlices(mask.data.length, 1, (from, to) => {
      for (let pixel = from; pixel < to; pixel++) {
        const red = (data[pixel * 4] ?? 0) - r
        const green = (data[pixel * 4 + 1] ?? 0) - g
        const blue = (data[pixel * 4 + 2] ?? 0) - b
        const alpha = (data[pixel * 4 + 3] ?? 0) - a
        const isNear = red * red + green * green + blue * blue + alpha * alpha < limit
        mask.data[pixel] = isNear ? 255 : 0
      }
    })
    return isInverted ? inverted(mask) : mask
  },
})

export const inverted = (picture: BytePicture): Promise<BytePicture> =>
  mapBands(picture, (value) => 255 - value)
