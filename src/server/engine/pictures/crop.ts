import { eachInSlices } from './in-slices.ts'
import { type BytePicture, bandsOf, emptyPicture, type Picture } from './picture.ts'

/** A part of a picture, in pixels. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Copies an area of a picture, in its mode. Parts outside of the picture are 0 in every band. */
export function crop(picture: BytePicture, area: Area): BytePicture
export function crop(picture: Picture, area: Area): Picture
export function crop(picture: Picture, { left, top, width, height }: Area): Picture {
  const part = emptyPicture(picture.mode, width, height)
  place(part, picture, -left, -top)
  return part
}

/**
 * Returns the smallest area that contains all matching pixels.
 *
 * @param matches - Receives the index of a pixel, row by row.
 * @returns `null` if no pixel matches.
 */
export const areaOf = async (
  { width, height }: { width: number; height: number },
  matches: (pixel: number) => boolean,
): Promise<Area | null> => {
  let left = width
  let right = -1
  let top = height
  let bottom = -1
  await eachInSlices(height, width, (y) => {
    for (let x = 0; x < width; x++) {
      if (!matches(y * width + x)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
  })
  return right < 0 ? null : { left, top, width: right + 1 - left, height: bottom + 1 - top }
}

/**
 * Copies a picture onto another of the same mode, in place. Parts outside of the canvas are dropped.
 *
 * @param x - Left edge of the picture, in pixels of the canvas. `x` and `y` may be negative.
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
