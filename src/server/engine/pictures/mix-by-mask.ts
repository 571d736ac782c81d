import { inSlices } from './in-slices.ts'
import { div255 } from './modes/pixel-loop.ts'
import { type BytePicture, bandsOf } from './picture.ts'

/**
 * One picture where the mask is black, the other where it is white, shares of both in between: Pillow's
 * `paste` with a mask. All bands are weighed alike, the alpha too.
 *
 * @param mask - Grey (`L`). All three have one size, the pictures one mode.
 */
export const mixByMask = async (
  black: BytePicture,
  white: BytePicture,
  mask: BytePicture,
  signal: AbortSignal,
): Promise<BytePicture> => {
  const bands = bandsOf[black.mode]
  const data = new Uint8Array(black.data.length)
  await inSlices(mask.data.length, 1, signal, (from, to) => {
    for (let pixel = from; pixel < to; pixel++) {
      const share = mask.data[pixel] ?? 0
      for (let at = pixel * bands; at < (pixel + 1) * bands; at++) {
        data[at] = div255((black.data[at] ?? 0) * (255 - share) + (white.data[at] ?? 0) * share)
      }
    }
  })
  return { ...black, data }
}
