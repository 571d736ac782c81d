import sharp, { type Raw, type Sharp } from 'sharp'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { Thumbnail } from '#server/core/images/picture-ports.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { drawThumbnail, reduce } from '#server/processes/draw-thumbnail.ts'
import { bandsOf, type Picture } from './picture.ts'

/** Modes that PNG supports. `I` becomes 16-bit grayscale. */
const writable: readonly string[] = ['L', 'LA', 'RGB', 'RGBA', 'I']

const refuseUnwritable = ({ mode }: Picture): void => {
  if (writable.includes(mode)) return
  throw new NodeFault(`cannot write mode ${mode} as PNG`, 'ImageFileSaveException')
}

/** Opens a picture with sharp: its bytes, or 16-bit grayscale clamped to 0..65535. */
export const sharpOf = ({ mode, width, height, data }: Picture): Sharp => {
  const raw = { width, height, channels: bandsOf[mode] as Raw['channels'] }
  const clamped = (value: number) => Math.min(Math.max(value, 0), 65_535)
  const pixels = data instanceof Uint8Array ? data : Uint16Array.from(data, clamped)
  // The size has been checked. sharp's own limit of 268 million pixels could be lower than `--max-pixels`.
  return sharp(pixels, { raw, limitInputPixels: false })
}

/**
 * Encodes a PNG without metadata.
 *
 * @throws {NodeFault} `ImageFileSaveException` if PNG does not support the mode.
 */
export const encodePng = async (picture: Picture): Promise<Buffer> => {
  refuseUnwritable(picture)
  const { mode } = picture
  const space = mode === 'I' ? 'grey16' : mode === 'L' || mode === 'LA' ? 'b-w' : 'srgb'
  return sharpOf(picture).toColourspace(space).png({ compressionLevel: 3 }).toBuffer()
}

/**
 * Draws the same thumbnail as from the encoded PNG, without decoding it.
 *
 * @throws {NodeFault} As `encodePng`.
 */
export const thumbnailOf = async (picture: Picture): Promise<Thumbnail> => {
  refuseUnwritable(picture)
  return drawThumbnail(await reduce(sharpOf(picture), THUMBNAIL_SIZES[0]))
}
