import Type from 'typebox'
import { ImageField } from '#contract/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { blend } from '#server/engine/pictures/blend.ts'
import { bytesOf } from '#server/engine/pictures/bytes-of.ts'
import { byteTable, mapBands } from '#server/engine/pictures/map-bands.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { type BytePicture, hasAlpha } from '#server/engine/pictures/picture.ts'
import { degrade, type Quality } from './degrade.ts'

const Factor = (description: string) => Type.Number({ default: 1, description })

/** The order in which the factors are applied (wire 9.5). */
const order: readonly Quality[] = ['color', 'contrast', 'brightness', 'sharpness']

/** Negative; without alpha, as InvokeAI does it. */
const invert = async (picture: BytePicture, signal: AbortSignal): Promise<BytePicture> => {
  const opaque = hasAlpha(picture) ? await toMode(picture, 'RGB', signal) : picture
  return mapBands(
    opaque,
    byteTable((value) => 255 - value),
    signal,
  )
}

/**
 * Pillow's `ImageEnhance`, one after the other: each blends with a version that lacks the quality. 1 leaves
 * it, 0 takes it away, more than 1 adds to it.
 */
export const imgEnhance = definePictureNode({
  type: 'invokeai_img_enhance',
  summary: 'Changes colour, contrast, brightness and sharpness of an image',
  inputs: {
    image: ImageField,
    invert: Type.Boolean({ default: false, description: 'Makes a negative first' }),
    color: Factor('0 is grey'),
    contrast: Factor('0 is one grey everywhere'),
    brightness: Factor('0 is black'),
    sharpness: Factor('0 is softened, 2 is sharpened'),
  },
  run: async ({ image, invert: isInverted, ...factors }, { readPicture, signal }) => {
    const read = await bytesOf(await readPicture(image), signal)
    let picture = isInverted ? await invert(read, signal) : read
    for (const quality of order) {
      const factor = factors[quality]
      if (factor === 1) continue
      picture = await blend(await degrade[quality](picture, signal), picture, factor, signal)
    }
    return picture
  },
})
