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

/** Crops to a box, as RGBA. Parts of the box outside of the picture are transparent. */
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

/** Pads a picture, or crops sides with negative numbers. Returns RGBA. */
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
 * Places a picture on a transparent RGBA canvas.
 *
 * @param canvas - Size of the canvas, and the position of the picture's upper left corner on it, in pixels.
 * @throws {NodeFault} The size is invalid or too large.
 */
export const placeOnCanvas = async (
  picture: Picture,
  canvas: { width: number; height: number; x: number; y: number },
  { maxPixels }: NodeContext,
): Promise<BytePicture> => {
  checkSize(canvas.width, canvas.height, maxPixels)
  const empty = emptyPicture('RGBA', canvas.width, canvas.height)
  place(empty, await toMode(picture, 'RGBA'), canvas.x, canvas.y)
  return empty
}
