import Type from 'typebox'
import { ImageField } from '#contract/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { inverted, readGrey } from './grey.ts'

/** The mask's grey becomes the alpha, in place of what alpha there was: black is transparent (wire 9.5). */
export const applyMask = definePictureNode({
  type: 'apply_mask_to_image',
  summary: 'Makes an image transparent where a mask is black',
  inputs: {
    image: ImageField,
    mask: ImageField,
    invert_mask: Type.Boolean({ default: false, description: 'Transparent where it is white' }),
  },
  run: async ({ image, mask, invert_mask }, context) => {
    const { readPicture, signal } = context
    const picture = await toMode(await readPicture(image), 'RGBA', signal)
    const grey = await readGrey(mask, context)
    if (grey.width !== picture.width || grey.height !== picture.height) {
      throw new NodeFault('size mismatch')
    }
    const alpha = invert_mask ? await inverted(grey, signal) : grey
    const data = picture.data.slice()
    await inSlices(alpha.data.length, 1, signal, (from, to) => {
      for (let pixel = from; pixel < to; pixel++) data[pixel * 4 + 3] = alpha.data[pixel] ?? 0
    })
    return { ...picture, data }
  },
})
