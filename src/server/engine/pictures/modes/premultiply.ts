import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { type BytePicture, bandsOf } from '#server/engine/pictures/picture.ts'
import { clip8, div255 } from './pixel-loop.ts'

/**
 * Replaces each band but the last of LA or RGBA by a value computed from the band and the alpha. Both are bytes, so a
 * table of all 65,536 results replaces a division for each band.
 */
export const mapColors = async (
  picture: BytePicture,
  change: (value: number, alpha: number) => number,
): Promise<BytePicture> => {
  const bands = bandsOf[picture.mode]
  const table = Uint8Array.from({ length: 65_536 }, (_, key) => change(key & 255, key >> 8))
  const data = new Uint8Array(picture.data)
  await inSlices(picture.width * picture.height, 1, (from, to) => {
    for (let pixel = from * bands; pixel < to * bands; pixel += bands) {
      const alpha = (data[pixel + bands - 1] ?? 0) << 8
      for (let band = pixel; band < pixel + bands - 1; band++) {
        data[band] = table[alpha | (data[band] ?? 0)] ?? 0
      }
    }
  })
  return { ...picture, data }
}

/** Multiplies the colors of LA or RGBA by their alpha, so that invisible pixels do not weigh in an average. */
export const premultiply = (picture: BytePicture): Promise<BytePicture> =>
  mapColors(picture, (value, alpha) => div255(value * alpha))

/** Undoes `premultiply`, except for its rounding. */
export const unpremultiply = (picture: BytePicture): Promise<BytePicture> =>
  mapColors(picture, (value, alpha) =>
    alpha === 0 || alpha === 255 ? value : clip8(Math.trunc((255 * value) / alpha)),
  )
