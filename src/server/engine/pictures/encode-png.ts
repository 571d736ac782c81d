import sharp, { type Raw } from 'sharp'
import { NodeFault } from '#server/engine/node-fault.ts'
import { bandsOf, type Picture } from './picture.ts'

/** Modes that PNG holds as they are; `I` as grey of 16 bits. */
const writable: readonly string[] = ['L', 'LA', 'RGB', 'RGBA', 'I']

/** What a picture looks like to sharp: bytes, or grey of 16 bits cut to 0..65535. */
const rawOf = (picture: Picture): { pixels: Uint8Array | Uint16Array; raw: Raw } => {
  const { mode, width, height, data } = picture
  const raw = { width, height, channels: bandsOf[mode] as Raw['channels'] }
  if (data instanceof Uint8Array) return { pixels: data, raw }
  const cut = Uint16Array.from(data, (value) => Math.min(Math.max(value, 0), 65_535))
  return { pixels: cut, raw }
}

/**
 * Writes a PNG without any metadata.
 *
 * @throws {NodeFault} `ImageFileSaveException` for a mode that PNG cannot hold.
 */
export const encodePng = async (picture: Picture): Promise<Buffer> => {
  const { mode } = picture
  if (!writable.includes(mode)) {
    throw new NodeFault(`cannot write mode ${mode} as PNG`, 'ImageFileSaveException')
  }
  const { pixels, raw } = rawOf(picture)
  const space = mode === 'I' ? 'grey16' : mode === 'L' || mode === 'LA' ? 'b-w' : 'srgb'
  // Its size has been checked; sharp's own limit of 268 million would refuse what `--max-pixels` allows.
  return sharp(pixels, { raw, limitInputPixels: false })
    .toColourspace(space)
    .png({ compressionLevel: 3 })
    .toBuffer()
}
