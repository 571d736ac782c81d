import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { bandsOf, type Picture, pictureLike } from '#server/engine/pictures/picture.ts'

/** The pixel that each pixel of the resized line takes. Steps are added up, as Pillow does it. */
const picksOf = (fromLength: number, toLength: number): Int32Array => {
  const step = fromLength / toLength
  let at = step * 0.5
  return Int32Array.from({ length: toLength }, () => {
    const picked = Math.min(Math.trunc(at), fromLength - 1)
    at += step
    return picked
  })
}

/** Every pixel of the new size takes the one that lies under its centre. */
export const resizeNearest = async (
  picture: Picture,
  width: number,
  height: number,
  signal: AbortSignal,
): Promise<Picture> => {
  const bands = bandsOf[picture.mode]
  const columns = picksOf(picture.width, width)
  const rows = picksOf(picture.height, height)
  const resized = pictureLike(picture, width, height)
  const source = picture.data
  await inSlices(height, width, signal, (from, to) => {
    let target = from * width * bands
    for (let y = from; y < to; y++) {
      const rowStart = (rows[y] ?? 0) * picture.width
      for (let x = 0; x < width; x++) {
        const start = (rowStart + (columns[x] ?? 0)) * bands
        for (let band = 0; band < bands; band++) {
          resized.data[target++] = source[start + band] ?? 0
        }
      }
    }
  })
  return resized
}
