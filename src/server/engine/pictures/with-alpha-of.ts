import { inSlices } from './in-slices.ts'
import { type BytePicture, bandsOf, hasAlpha } from './picture.ts'

/** A picture with the alpha of another of the same size and mode; itself, where the mode has none. */
export const withAlphaOf = async (
  picture: BytePicture,
  source: BytePicture,
  signal: AbortSignal,
): Promise<BytePicture> => {
  if (!hasAlpha(picture)) return picture
  const bands = bandsOf[picture.mode]
  const data = new Uint8Array(picture.data)
  await inSlices(picture.width * picture.height, 1, signal, (from, to) => {
    for (let at = (from + 1) * bands - 1; at < to * bands; at += bands) {
      data[at] = source.data[at] ?? 0
    }
  })
  return { ...picture, data }
}
