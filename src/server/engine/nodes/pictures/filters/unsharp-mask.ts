import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { withAlphaOf } from '#server/engine/pictures/blend.ts'
import { gaussianBlur } from '#server/engine/pictures/blur/blur.ts'
import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { bytesOf, toMode } from '#server/engine/pictures/modes/to-mode.ts'
import type { BytePicture } from '#server/engine/pictures/picture.ts'

const unit = Float64Array.from({ length: 256 }, (_, value) => value / 255)

/** Moves each band away from its blurred value, clamps to 0..1 and truncates to a byte. */
const moveApart = async (
  picture: BytePicture,
  blurred: BytePicture,
  factor: number,
): Promise<BytePicture> => {
  const data = new Uint8Array(picture.data.length)
  await inSlices(data.length, 0.25, (from, to) => {
    for (let at = from; at < to; at++) {
      const value = unit[picture.data[at] ?? 0] ?? 0
      const sharp = value + (value - (unit[blurred.data[at] ?? 0] ?? 0)) * factor
      data[at] = Math.min(Math.max(sharp, 0), 1) * 255
    }
  })
  return { ...picture, data }
}

/** Sharpens by the difference to a Gaussian blur. Mode and alpha do not change. */
export const unsharpMask = definePictureNode({
  type: 'unsharp_mask',
  summary: 'Sharpens an image',
  inputs: {
    image: ImageField,
    radius: Type.Number({ default: 2, exclusiveMinimum: 0, description: 'In pixels' }),
    strength: Type.Number({ default: 50, minimum: 0, description: 'In percent' }),
  },
  run: async ({ image, radius, strength }, { readPicture }) => {
    const picture = await bytesOf(await readPicture(image))
    const rgb = await toMode(picture, 'RGB')
    const blurred = await gaussianBlur(rgb, radius)
    const sharp = await moveApart(rgb, blurred, strength / 100)
    return withAlphaOf(await toMode(sharp, picture.mode), picture)
  },
})
