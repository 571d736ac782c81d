import { inSlices } from './in-slices.ts'
import { type BytePicture, bandsOf, emptyPicture } from './picture.ts'

/**
 * `ImageChops.multiply` of two pictures of one mode: the product of each band over 255, truncated. As large as
 * the part that both have.
 */
export const multiply = async (
  first: BytePicture,
  second: BytePicture,
  signal: AbortSignal,
): Promise<BytePicture> => {
  const width = Math.min(first.width, second.width)
  const height = Math.min(first.height, second.height)
  const bands = bandsOf[first.mode]
  const product = emptyPicture(first.mode, width, height)
  await inSlices(height, width, signal, (from, to) => {
    for (let row = from; row < to; row++) {
      const target = row * width * bands
      const left = row * first.width * bands
      const right = row * second.width * bands
      for (let x = 0; x < width * bands; x++) {
        product.data[target + x] =
          ((first.data[left + x] ?? 0) * (second.data[right + x] ?? 0)) / 255
      }
    }
  })
  return product
}
