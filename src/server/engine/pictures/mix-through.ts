import { inSlices } from './in-slices.ts'
import { div255 } from './modes/pixel-loop.ts'
import { type BytePicture, bandsOf } from './picture.ts'

/**
 * `first` where the mask is 255, `second` where it is 0, a mix between, as Pillow pastes through a mask. All
 * three of one size, the two of one mode; every band is mixed, an alpha too.
 *
 * @param mask - `L`.
 */
export const mixThrough = async (
  first: BytePicture,
  second: BytePicture,
  mask: BytePicture,
  signal: AbortSignal,
): Promise<BytePicture> => {
  const bands = bandsOf[first.mode]
  const data = new Uint8Array(first.data.length)
  await inSlices(mask.data.length, 1, signal, (from, to) => {
    for (let pixel = from; pixel < to; pixel++) {
      const share = mask.data[pixel] ?? 0
      for (let at = pixel * bands; at < (pixel + 1) * bands; at++) {
        data[at] = div255((first.data[at] ?? 0) * share + (second.data[at] ?? 0) * (255 - share))
      }
    }
  })
  return { ...first, data }
}
