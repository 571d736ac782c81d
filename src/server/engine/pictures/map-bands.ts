import { inSlices } from './in-slices.ts'
import { type BytePicture, bandsOf } from './picture.ts'

/** Returns a lookup table of the results for all byte values. */
export const byteTable = (change: (value: number) => number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, value) => change(value))

/**
 * Replaces each byte by its entry in the table.
 *
 * @param bands - The bands to change. Default: all.
 */
export const mapBands = async (
  picture: BytePicture,
  table: Uint8Array,
  bands: readonly number[] = Array.from({ length: bandsOf[picture.mode] }, (_, band) => band),
): Promise<BytePicture> => {
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
