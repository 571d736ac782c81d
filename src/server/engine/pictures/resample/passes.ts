import { inSlices } from '#server/engine/pictures/in-slices.ts'
import {
  bandsOf,
  isBytePicture,
  type Picture,
  pictureLike,
} from '#server/engine/pictures/picture.ts'
import type { ResampleFilter } from './filters.ts'
import { tapsOf } from './taps.ts'
import { weighFor } from './weigh.ts'

/** Resizes each row to another width. */
export const resizeRows = async (
  picture: Picture,
  width: number,
  filter: ResampleFilter,
  signal: AbortSignal,
): Promise<Picture> => {
  const bands = bandsOf[picture.mode]
  const { first, count, weights, stride } = tapsOf(
    filter,
    picture.width,
    width,
    isBytePicture(picture),
  )
  const weigh = weighFor(picture)
  const resized = pictureLike(picture, width, picture.height)
  const source = picture.data
  const target = resized.data

  const resizeRow = (row: number) => {
    const sourceRow = row * picture.width * bands
    const targetRow = row * width * bands
    for (let x = 0; x < width; x++) {
      const start = sourceRow + (first[x] ?? 0) * bands
      const taps = count[x] ?? 0
      for (let band = 0; band < bands; band++) {
        target[targetRow + x * bands + band] = weigh(
          source,
          start + band,
          bands,
          weights,
          x * stride,
          taps,
        )
      }
    }
  }
  await inSlices(picture.height, Math.max(width, picture.width), signal, (from, to) => {
    for (let row = from; row < to; row++) resizeRow(row)
  })
  return resized
}

/** Resizes each column to another height, row by row: neighbours share the rows that are in the cache. */
export const resizeColumns = async (
  picture: Picture,
  height: number,
  filter: ResampleFilter,
  signal: AbortSignal,
): Promise<Picture> => {
  const rowLength = picture.width * bandsOf[picture.mode]
  const { first, count, weights, stride } = tapsOf(
    filter,
    picture.height,
    height,
    isBytePicture(picture),
  )
  const weigh = weighFor(picture)
  const resized = pictureLike(picture, picture.width, height)
  const source = picture.data
  const target = resized.data

  const resizeRow = (row: number) => {
    const start = (first[row] ?? 0) * rowLength
    const taps = count[row] ?? 0
    for (let x = 0; x < rowLength; x++) {
      target[row * rowLength + x] = weigh(source, start + x, rowLength, weights, row * stride, taps)
    }
  }
  await inSlices(height, picture.width, signal, (from, to) => {
    for (let row = from; row < to; row++) resizeRow(row)
  })
  return resized
}
