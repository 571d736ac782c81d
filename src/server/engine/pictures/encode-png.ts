import sharp, { type Raw, type Sharp } from 'sharp'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { Thumbnail } from '#server/core/images/picture-ports.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { drawThumbnail, reduce } from '#server/processes/draw-thumbnail.ts'
import { bandsOf, type Picture } from './picture.ts'

/** Modes that PNG holds as they are; `I` as grey of 16 bits. */
const writable: readonly string[] = ['L', 'LA', 'RGB', 'RGBA', 'I']

const refuseUnwritable = ({ mode }: Picture): void => {
  if (writable.includes(mode)) return
  throw new NodeFault(`cannot write mode ${mode} as PNG`, 'ImageFileSaveException')
}

/** What a picture looks like to sharp: bytes, or grey of 16 bits cut to 0..65535. */
const rawOf = (picture: Picture): { pixels: Uint8Array | Uint16Array; raw: Raw } => {
  const { mode, width, height, data } = picture
  const raw = { width, height, channels: bandsOf[mode] as Raw['channels'] }
  if (data instanceof Uint8Array) return { pixels: data, raw }
  const cut = Uint16Array.from(data, (value) => Math.min(Math.max(value, 0), 65_535))
  return { pixels: cut, raw }
}

const sharpOf = (picture: Picture): Sharp => {
  const { pixels, raw } = rawOf(picture)
  // Its size has been checked; sharp's own limit of 268 million would refuse what `--max-pixels` allows.
  return sharp(pixels, { raw, limitInputPixels: false })
}

/**
 * Writes a PNG without any metadata.
 *
 * @throws {NodeFault} `ImageFileSaveException` for a mode that PNG cannot hold.
 */
export const encodePng = async (picture: Picture): Promise<Buffer> => {
  refuseUnwritable(picture)
  const { mode } = picture
  const space = mode === 'I' ? 'grey16' : mode === 'L' || mode === 'LA' ? 'b-w' : 'srgb'
  return sharpOf(picture).toColourspace(space).png({ compressionLevel: 3 }).toBuffer()
}

/**
 * The thumbnail that the written PNG would get, without decoding it.
 *
 * @throws {NodeFault} As `encodePng`.
 */
export const thumbnailOf = async (picture: Picture): Promise<Thumbnail> => {
  refuseUnwritable(picture)
  return drawThumbnail(await reduce(sharpOf(picture), THUMBNAIL_SIZES[0]))
}
