import { inSlices } from './in-slices.ts'
import { type BytePicture, bandsOf } from './picture.ts'

/**
 * Replaces each byte by the result of `change`, truncated to a byte. Calls `change` once for each of the 256 values.
 *
 * @param bands - The bands to change. Default: all.
 */
export const mapBands = async (
  picture: BytePicture,
  change: (value: number) => number,
  bands: readonly number[] = Array.from({ length: bandsOf[picture.mode] }, (_, band) => band),
): Promise<BytePicture> => {
  const table = Uint8Array.from({ length: 256 }, (_, value) => change(value))
  const step = bandsOf[picture.mode]
  const data = new Uint8Array(picture.data)
  await inSlices(picture.width * picture.height, 1, (from, to) => {
    for (const band of bands) {
      for (let at = from * step + band; at < to * step; at += step) {
        data[at] = table[data[at] ?? 0] ?? 0
      }
    }
  })
  return { ...picture, data }
}
