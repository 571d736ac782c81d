import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { type BytePicture, bandsOf } from '#server/engine/pictures/picture.ts'
import { clip8, div255 } from './pixel-loop.ts'

/** Gives each band but the last of LA or RGBA a new value, from its own and the alpha. */
export const mapColours = async (
  picture: BytePicture,
  signal: AbortSignal,
  change: (value: number, alpha: number) => number,
): Promise<BytePicture> => {
  const bands = bandsOf[picture.mode]
  const data = new Uint8Array(picture.data)
  await inSlices(picture.width * picture.height, 1, signal, (from, to) => {
    for (let pixel = from * bands; pixel < to * bands; pixel += bands) {
      const alpha = data[pixel + bands - 1] ?? 0
      for (let band = pixel; band < pixel + bands - 1; band++) {
        data[band] = change(data[band] ?? 0, alpha)
      }
    }
  })
  return { ...picture, data }
}

/** LA or RGBA with its colours multiplied by alpha: what is invisible no longer weighs in an average. */
export const premultiply = (picture: BytePicture, signal: AbortSignal): Promise<BytePicture> =>
  mapColours(picture, signal, (value, alpha) => div255(value * alpha))

/** Undoes `premultiply`, but for what rounding took. */
export const unpremultiply = (picture: BytePicture, signal: AbortSignal): Promise<BytePicture> =>
  mapColours(picture, signal, (value, alpha) =>
    alpha === 0 || alpha === 255 ? value : clip8(Math.trunc((255 * value) / alpha)),
  )
