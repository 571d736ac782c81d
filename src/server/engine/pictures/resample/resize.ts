import { premultiply, unpremultiply } from '#server/engine/pictures/modes/premultiply.ts'
import { hasAlpha, isBytePicture, type Picture } from '#server/engine/pictures/picture.ts'
import { type ResampleMode, resampleFilters } from './filters.ts'
import { resizeColumns, resizeRows } from './passes.ts'
import { resizeNearest } from './resize-nearest.ts'

/**
 * Resizes as Pillow's `Image.resize` does: rows, then columns, each rounded to the picture's type; with an
 * alpha, colours are premultiplied on the way. Bytes are Pillow's own, but for one step in rare roundings.
 *
 * @param width - In pixels, above 0, as `height`.
 * @returns The picture itself where it has the size.
 * @throws The signal's reason, once it is aborted.
 */
export const resize = async (
  picture: Picture,
  { width, height }: { width: number; height: number },
  mode: ResampleMode,
  signal: AbortSignal,
): Promise<Picture> => {
  if (picture.width === width && picture.height === height) return picture
  if (mode === 'nearest') return resizeNearest(picture, width, height, signal)
  const filter = resampleFilters[mode]
  const isBlended = isBytePicture(picture) && hasAlpha(picture)
  let resized: Picture = isBlended ? await premultiply(picture, signal) : picture
  if (resized.width !== width) resized = await resizeRows(resized, width, filter, signal)
  if (resized.height !== height) resized = await resizeColumns(resized, height, filter, signal)
  return isBlended && isBytePicture(resized) ? unpremultiply(resized, signal) : resized
}
