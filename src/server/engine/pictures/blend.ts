import { inSlices } from './in-slices.ts'
import type { BytePicture } from './picture.ts'

const { fround } = Math

/**
 * `Image.blend` of two pictures of one size and mode: 0 gives `first`, 1 gives `second`, beyond them the
 * difference grows and is cut to a byte. Truncated, in single precision as Pillow works.
 */
export const blend = async (
  first: BytePicture,
  second: BytePicture,
  factor: number,
  signal: AbortSignal,
): Promise<BytePicture> => {
  const share = fround(factor)
  const data = new Uint8Array(first.data.length)
  await inSlices(data.length, 0.25, signal, (from, to) => {
    for (let at = from; at < to; at++) {
      const start = first.data[at] ?? 0
      const value = fround(start + fround(share * ((second.data[at] ?? 0) - start)))
      data[at] = value < 0 ? 0 : Math.min(255, value)
    }
  })
  return { ...first, data }
}
