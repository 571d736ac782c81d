import { type BytePicture, bandsOf } from '#server/engine/pictures/picture.ts'
import type { Planes } from './image-model.ts'

/**
 * The colours of a part of a picture. Beyond the picture, its last column and row go on.
 *
 * @param picture - `RGB` or `RGBA`.
 */
export function planesOf(
  { mode, width, height, data }: BytePicture,
  part: { left: number; top: number; width: number; height: number },
): Planes {
  const bands = bandsOf[mode]
  const plane = part.width * part.height
  const planes = new Float32Array(plane * 3)
  for (let y = 0; y < part.height; y++) {
    const row = Math.min(part.top + y, height - 1) * width
    for (let x = 0; x < part.width; x++) {
      const from = (row + Math.min(part.left + x, width - 1)) * bands
      const to = y * part.width + x
      planes[to] = (data[from] ?? 0) / 255
      planes[to + plane] = (data[from + 1] ?? 0) / 255
      planes[to + 2 * plane] = (data[from + 2] ?? 0) / 255
    }
  }
  return { width: part.width, height: part.height, data: planes }
}
