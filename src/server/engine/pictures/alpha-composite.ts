import { inSlices } from './in-slices.ts'
import type { BytePicture } from './picture.ts'

/** (v / 255, rounded) for v with 7 bits behind the point. */
const shiftedDiv255 = (value: number): number => {
  const sum = value + (128 << 7)
  return ((sum >>> 8) + sum) >>> 15
}

/**
 * Lays one RGBA picture over another of the same size (`Image.alpha_composite`), in Pillow's whole numbers:
 * colours are weighed by the share that each picture has in the alpha that comes out.
 */
export const alphaComposite = async (
  below: BytePicture,
  above: BytePicture,
  signal: AbortSignal,
): Promise<BytePicture> => {
  const data = new Uint8Array(below.data)
  const source = above.data
  await inSlices(below.width * below.height, 1, signal, (from, to) => {
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
