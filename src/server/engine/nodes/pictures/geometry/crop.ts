import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode, type NodeContext } from '#server/engine/define-node.ts'
import { OffsetPx, SidePx } from '#server/engine/nodes/pictures/inputs.ts'
import { place } from '#server/engine/pictures/crop.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import {
  type BytePicture,
  checkSize,
  emptyPicture,
  type Picture,
} from '#server/engine/pictures/picture.ts'

/** A box of a picture, RGBA; transparent where the box lies outside (wire 9.5). */
export const imgCrop = definePictureNode({
  type: 'img_crop',
  summary: 'Crops an image to a box, which may lie outside of it',
  inputs: {
    image: ImageField,
    x: OffsetPx('Left edge of the box, in pixels'),
    y: OffsetPx('Top edge of the box, in pixels'),
    width: SidePx(512),
    height: SidePx(512),
  },
  run: async ({ image, x, y, width, height }, context) =>
    placeOnCanvas(await context.readPicture(image), { width, height, x: -x, y: -y }, context),
})

/** More room around a picture, or less where a side is negative; RGBA (wire 9.5). */
export const imgPadCrop = definePictureNode({
  type: 'img_pad_crop',
  summary: 'Pads the sides of an image, or crops them where the number is negative',
  inputs: {
    image: ImageField,
    left: OffsetPx('Pixels added on the left; negative: cut off'),
    right: OffsetPx('Pixels added on the right; negative: cut off'),
    top: OffsetPx('Pixels added on top; negative: cut off'),
    bottom: OffsetPx('Pixels added at the bottom; negative: cut off'),
  },
  saving: { hasBoard: false },
  run: async ({ image, left, right, top, bottom }, context) => {
    const picture = await context.readPicture(image)
    const width = picture.width + left + right
    const height = picture.height + top + bottom
    return placeOnCanvas(picture, { width, height, x: left, y: top }, context)
  },
})

/**
 * The picture on a transparent canvas, RGBA.
 *
 * @param canvas - Its size, and where the picture's upper left corner lies on it, in pixels.
 * @throws {NodeFault} A size that is refused.
 */
export const placeOnCanvas = async (
  picture: Picture,
  canvas: { width: number; height: number; x: number; y: number },
  { maxPixels, signal }: NodeContext,
): Promise<BytePicture> => {
  checkSize(canvas.width, canvas.height, maxPixels)
  const empty = emptyPicture('RGBA', canvas.width, canvas.height)
  place(empty, await toMode(picture, 'RGBA', signal), canvas.x, canvas.y)
  return empty
}
