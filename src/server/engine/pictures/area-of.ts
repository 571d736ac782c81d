import type { Area } from './crop.ts'
import { inSlices } from './in-slices.ts'

/**
 * The smallest area that holds all pixels that match.
 *
 * @param matches - Asked by the index of a pixel, row by row.
 * @returns `null` where none matches.
 */
export const areaOf = async (
  { width, height }: { width: number; height: number },
  matches: (pixel: number) => boolean,
  signal: AbortSignal,
): Promise<Area | null> => {
  let left = width
  let right = -1
  let top = height
  let bottom = -1
  await inSlices(height, width, signal, (from, to) => {
    for (let y = from; y < to; y++) {
      for (let x = 0; x < width; x++) {
        if (!matches(y * width + x)) continue
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = y
      }
    }
  })
  return right < 0 ? null : { left, top, width: right + 1 - left, height: bottom + 1 - top }
}
