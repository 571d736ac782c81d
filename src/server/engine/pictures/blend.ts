import { div255 } from '#server/engine/pictures/modes/pixel-loop.ts'
import { eachInSlices, inSlices } from './in-slices.ts'
import { type BytePicture, bandsOf, emptyPicture, hasAlpha, type Picture } from './picture.ts'

const { fround } = Math

/**
 * Blends two pictures of equal size and mode like Pillow's `Image.blend`. 0 returns `first` and 1 returns `second`.
 * Other factors extrapolate and clamp to a byte. Truncates and uses single precision, like Pillow.
 */
export const blend = async (
  first: BytePicture,
  second: BytePicture,
  factor: number,
): Promise<BytePicture> => {
  const share = fround(factor)
  const data = new Uint8Array(first.data.length)
  await inSlices(data.length, 0.25, (from, to) => {
    for (let at = from; at < to; at++) {
      const start = first.data[at] ?? 0
      const value = fround(start + fround(share * ((second.data[at] ?? 0) - start)))
      data[at] = value < 0 ? 0 : Math.min(255, value)
    }
  })
  return { ...first, data }
}

/** Returns v / 255, rounded, for v with 7 fractional bits. */
const shiftedDiv255 = (value: number): number => {
  const sum = value + (128 << 7)
  return ((sum >>> 8) + sum) >>> 15
}

/**
 * Composites one RGBA picture over another of the same size like Pillow's `Image.alpha_composite`, with its integer
 * arithmetic: colors are weighted by the share of each picture in the resulting alpha.
 */
export const alphaComposite = async (
  below: BytePicture,
  above: BytePicture,
): Promise<BytePicture> => {
  const data = new Uint8Array(below.data)
  const source = above.data
  await inSlices(below.width * below.height, 1, (from, to) => {
    for (let at = from * 4; at < to * 4; at += 4) {
      const alpha = source[at + 3] ?? 0
      if (alpha === 0) continue
      const total = alpha * 255 + (data[at + 3] ?? 0) * (255 - alpha)
      const share = Math.trunc((alpha * 255 * 255 * 128) / total)
      const rest = 255 * 128 - share
      for (let band = at; band < at + 3; band++) {
        data[band] = shiftedDiv255((source[band] ?? 0) * share + (data[band] ?? 0) * rest)
      }
      data[at + 3] = (((total + 128) >> 8) + total + 128) >> 8
    }
  })
  return { ...below, data }
}

/**
 * Multiplies two pictures of one mode like Pillow's `ImageChops.multiply`: the product of each band is divided by 255
 * and truncated. The result has the size of the common area.
 */
export const multiply = async (first: BytePicture, second: BytePicture): Promise<BytePicture> => {
  const width = Math.min(first.width, second.width)
  const height = Math.min(first.height, second.height)
  const bands = bandsOf[first.mode]
  const product = emptyPicture(first.mode, width, height)
  await eachInSlices(height, width, (row) => {
    const target = row * width * bands
    const left = row * first.width * bands
    const right = row * second.width * bands
    for (let x = 0; x < width * bands; x++) {
      product.data[target + x] = ((first.data[left + x] ?? 0) * (second.data[right + x] ?? 0)) / 255
    }
  })
  return product
}

/**
 * Mixes two pictures through a mask, like Pillow's paste: `first` where the mask is 255, `second` where it is 0. All
 * three have the same size, and both pictures have the same mode. Every band is mixed, including alpha.
 *
 * @param mask - `L`.
 */
export const mixThrough = async (
  first: BytePicture,
  second: BytePicture,
  mask: BytePicture,
): Promise<BytePicture> => {
  const bands = bandsOf[first.mode]
  const data = new Uint8Array(first.data.length)
  await inSlices(mask.data.length, 1, (from, to) => {
    for (let pixel = from; pixel < to; pixel++) {
      const share = mask.data[pixel] ?? 0
      for (let at = pixel * bands; at < (pixel + 1) * bands; at++) {
        data[at] = div255((first.data[at] ?? 0) * share + (second.data[at] ?? 0) * (255 - share))
      }
    }
  })
  return { ...first, data }
}

/** Returns one band of a picture as `L`. */
export const bandOf = async (
  { mode, width, height, data }: BytePicture,
  band: number,
): Promise<BytePicture> => {
  const bands = bandsOf[mode]
  const gray = emptyPicture('L', width, height)
  await inSlices(gray.data.length, 1, (from, to) => {
    for (let at = from; at < to; at++) gray.data[at] = data[at * bands + band] ?? 0
  })
  return gray
}

/**
 * Returns a picture with the alpha of another of the same size. Unchanged if its mode has no alpha.
 *
 * @param source - Its last band is the alpha, such as the only band of `L`.
 */
export const withAlphaOf = async (picture: BytePicture, source: Picture): Promise<BytePicture> => {
  if (!hasAlpha(picture)) return picture
  const bands = bandsOf[picture.mode]
  const sourceBands = bandsOf[source.mode]
  const data = new Uint8Array(picture.data)
  await inSlices(picture.width * picture.height, 1, (from, to) => {
    for (let pixel = from + 1; pixel <= to; pixel++) {
      data[pixel * bands - 1] = source.data[pixel * sourceBands - 1] ?? 0
    }
  })
  return { ...picture, data }
}
