import { inSlices } from '#server/engine/pictures/in-slices.ts'
import { isBytePicture, type Picture, pictureLike } from '#server/engine/pictures/picture.ts'
import type { ResampleFilter } from './filters.ts'
import { tapsOf } from './taps.ts'
import { weighAcrossRows, weighAlongRows } from './weigh.ts'

/** Resizes each row to another width. */
export const resizeRows = async (
  picture: Picture,
  width: number,
  filter: ResampleFilter,
  signal: AbortSignal,
): Promise<Picture> => {
  const resized = pictureLike(picture, width, picture.height)
  const taps = tapsOf(filter, picture.width, width, isBytePicture(picture))
  const weighRow = weighAlongRows(picture, resized, taps)
  await inSlices(picture.height, Math.max(width, picture.width), signal, (from, to) => {
    for (let row = from; row < to; row++) weighRow(row)
  })
  return resized
}

/** Resizes each column to another height, row by row: adjacent columns share cache lines. */
export const resizeColumns = async (
  picture: Picture,
  height: number,
  filter: ResampleFilter,
  signal: AbortSignal,
): Promise<Picture> => {
  const resized = pictureLike(picture, picture.width, height)
  const taps = tapsOf(filter, picture.height, height, isBytePicture(picture))
  const weighRow = weighAcrossRows(picture, resized, taps)
  await inSlices(height, picture.width, signal, (from, to) => {
    for (let row = from; row < to; row++) weighRow(row)
  })
  return resized
}
