import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { multiply } from '#server/engine/pictures/multiply.ts'
import { isBytePicture } from '#server/engine/pictures/picture.ts'

/** The product of two images, channel by channel; where they differ in size, of their upper left (wire 9.5). */
export const imgMul = definePictureNode({
  type: 'img_mul',
  summary: 'Multiplies two images',
  inputs: { image1: ImageField, image2: ImageField },
  run: async ({ image1, image2 }, { readPicture, signal }) => {
    const first = await readPicture(image1)
    const second = await readPicture(image2)
    if (first.mode !== second.mode) throw new NodeFault('images do not match')
    if (!isBytePicture(first) || !isBytePicture(second)) {
      throw new NodeFault('image has wrong mode')
    }
    return multiply(first, second, signal)
  },
})
