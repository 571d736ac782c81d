import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { makeTiff } from './pixels-in-tiff.ts'

/** Bytes at the beginning of an ISO media file that contain its brands. */
const MAX_BRANDS_BYTES = 256
const MAJOR_BRAND_AT = 8

/** Returns the brands of an ISO media file (HEIC, AVIF, MP4), the major one first. Empty for other files. */
export const brandsOf = (head: Buffer): string[] => {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.length, head.readUInt32BE(0), MAX_BRANDS_BYTES)
  const others = head.toString('latin1', 16, end).match(/.{4}/gs) ?? []
  return [head.toString('latin1', MAJOR_BRAND_AT, MAJOR_BRAND_AT + 4), ...others]
}

/** True for an AVIF whose main content is a sequence of frames. */
export const isAnimatedAvif = (head: Buffer): boolean => brandsOf(head)[0] === 'avis'

/** Brands of HEIF files whose images are encoded by HEVC, which sharp does not decode. */
export const isHeicHead = (head: Buffer): boolean => {
  const brands = brandsOf(head)
  return !brands.includes('avif') && brands.some((brand) => brand === 'heic' || brand === 'heix')
}

/**
 * Reads an animated AVIF in a form that sharp opens: with the brand of a still one, whose picture is the poster of the
 * animation.
 */
export const readAnimatedAvif = async (path: string): Promise<Buffer> => {
  const file = await readFile(path)
  file.write('avif', MAJOR_BRAND_AT, 'latin1')
  return file
}

/**
 * Decodes the primary image of a HEIC file to an uncompressed TIFF with the same color profile. libheif has turned the
 * image upright.
 *
 * @throws {Error} The file is damaged, or its image has another size than its header says.
 */
export const decodeHeic = async (path: string): Promise<Buffer> => {
  const { width, height, icc } = await sharp(path, { limitInputPixels: false }).metadata()
  const { default: libheif } = await import('libheif-js/wasm-bundle.js')
  const images = new libheif.HeifDecoder().decode(await readFile(path))
  try {
    const image = images.find((one) => one.is_primary()) ?? images[0]
    if (image === undefined) throw new Error('The HEIC file has no image.')
    if (image.get_width() !== width || image.get_height() !== height)
      throw new Error('The HEIC image has another size than its header says.')
    const { file, pixels } = makeTiff(width, height, icc)
    const filled = await new Promise<object | null>((resolve) =>
      image.display({ data: pixels, width, height }, resolve),
    )
    if (filled === null) throw new Error('The HEIC image cannot be decoded.')
    return file
  } finally {
    for (const image of images) image.free()
  }
}
