import type { NodeContext } from '#server/engine/define-node.ts'
import { checkSize } from '#server/engine/pictures/check-size.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { type BytePicture, emptyPicture, type Picture } from '#server/engine/pictures/picture.ts'
import { place } from '#server/engine/pictures/place.ts'

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
