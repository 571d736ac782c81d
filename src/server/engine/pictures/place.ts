import { bandsOf, type Picture } from './picture.ts'

/**
 * Copies a picture onto another of the same mode, in place. What lies outside is left out.
 *
 * @param x - Where its left edge comes to lie, in pixels of the canvas; may be negative, as `y`.
 */
export const place = (canvas: Picture, picture: Picture, x: number, y: number): void => {
  const bands = bandsOf[canvas.mode]
  const left = Math.max(0, x)
  const right = Math.min(canvas.width, x + picture.width)
  const bottom = Math.min(canvas.height, y + picture.height)
  if (left >= right) return
  for (let row = Math.max(0, y); row < bottom; row++) {
    const start = ((row - y) * picture.width + left - x) * bands
    const pixels = picture.data.subarray(start, start + (right - left) * bands)
    canvas.data.set(pixels, (row * canvas.width + left) * bands)
  }
}
