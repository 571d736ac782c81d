import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode, type NodeContext } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { OffsetPx, OptionalImage } from '#server/engine/nodes/pictures/inputs.ts'
import { alphaComposite, mixThrough } from '#server/engine/pictures/blend.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { type BytePicture, emptyPicture, type Picture } from '#server/engine/pictures/picture.ts'
import { placeOnCanvas } from './crop.ts'

/** Weights all four bands by the darkness of the mask. Colors fade along with the alpha, as in InvokeAI. */
const throughMask = async (picture: BytePicture, mask: Picture): Promise<BytePicture> => {
  const { width, height } = picture
  if (mask.width !== width || mask.height !== height) throw new NodeFault('images do not match')
  const nothing = emptyPicture('RGBA', width, height)
  return mixThrough(nothing, picture, await toMode(mask, 'L'))
}

/** Composites the second picture over the first, on a canvas that holds both. */
const compose = async (
  base: Picture,
  pasted: Picture,
  { x, y }: { x: number; y: number },
  context: NodeContext,
): Promise<BytePicture> => {
  const left = Math.min(0, x)
  const top = Math.min(0, y)
  const size = {
    width: Math.max(base.width, pasted.width + x) - left,
    height: Math.max(base.height, pasted.height + y) - top,
  }
  const below = await placeOnCanvas(base, { ...size, x: -left, y: -top }, context)
  const above = await placeOnCanvas(pasted, { ...size, x: x - left, y: y - top }, context)
  return alphaComposite(below, above)
}

/** Pastes an image over another. The canvas grows to hold both unless `crop` is set. */
export const imgPaste = definePictureNode({
  type: 'img_paste',
  summary: 'Pastes an image into another',
  inputs: {
    base_image: ImageField,
    image: ImageField,
    mask: OptionalImage('As large as `image`: black pastes, white keeps the base'),
    x: OffsetPx('Left edge of `image` on the base, in pixels'),
    y: OffsetPx('Top edge of `image` on the base, in pixels'),
    crop: Type.Boolean({ default: false, description: 'Keep the size of the base' }),
  },
  run: async ({ base_image, image, mask, x, y, crop }, context) => {
    const base = await context.readPicture(base_image)
    const whole = await context.readAs(image, 'RGBA')
    const pasted = mask === null ? whole : await throughMask(whole, await context.readPicture(mask))
    const composed = await compose(base, pasted, { x, y }, context)
    if (!crop) return composed
    const { width, height } = base
    const offset = { x: Math.min(0, x), y: Math.min(0, y) }
    return placeOnCanvas(composed, { width, height, ...offset }, context)
  },
})
