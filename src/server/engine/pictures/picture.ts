import { NodeFault } from '#server/engine/node-fault.ts'

/** Layout of the bands of a pixel, with Pillow's names. */
export type PictureMode = 'L' | 'LA' | 'RGB' | 'RGBA' | 'CMYK' | 'YCbCr' | 'LAB' | 'HSV' | 'I' | 'F'

/** Number of bands of each mode. */
export const bandsOf: Readonly<Record<PictureMode, number>> = {
  L: 1,
  LA: 2,
  RGB: 3,
  RGBA: 4,
  CMYK: 4,
  YCbCr: 3,
  LAB: 3,
  HSV: 3,
  I: 1,
  F: 1,
}

/**
 * Pixels in memory, row by row with interleaved bands: `data.length` is width * height * bands. A band is a byte,
 * except for `I` (32-bit integers) and `F` (32-bit floats).
 */
export interface Picture {
  readonly mode: PictureMode
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Int32Array | Float32Array
}

/** Modes with one byte per band. */
export type ByteMode = Exclude<PictureMode, 'I' | 'F'>

/** A picture with one byte per band. */
export interface BytePicture extends Picture {
  readonly mode: ByteMode
  readonly data: Uint8Array
}

export const isBytePicture = (picture: Picture): picture is BytePicture =>
  picture.data instanceof Uint8Array

/** Returns a picture with all bands 0: black, and transparent if the mode has alpha. */
export function emptyPicture(mode: ByteMode, width: number, height: number): BytePicture
export function emptyPicture(mode: PictureMode, width: number, height: number): Picture
export function emptyPicture(mode: PictureMode, width: number, height: number): Picture {
  const length = width * height * bandsOf[mode]
  if (mode === 'I') return { mode, width, height, data: new Int32Array(length) }
  if (mode === 'F') return { mode, width, height, data: new Float32Array(length) }
  return { mode, width, height, data: new Uint8Array(length) }
}

/** True if the last band is alpha. */
export const hasAlpha = ({ mode }: Picture): boolean => mode === 'LA' || mode === 'RGBA'

/**
 * Returns a picture of one color.
 *
 * @param pixel - Values of the bands. Excess values are ignored.
 */
export const filledPicture = (
  mode: ByteMode,
  { width, height }: { width: number; height: number },
  pixel: readonly number[],
): BytePicture => {
  const filled = emptyPicture(mode, width, height)
  const bands = bandsOf[mode]
  filled.data.set(pixel.slice(0, bands))
  // Doubles the filled part: a few memory copies instead of a loop over every pixel.
  for (let done = bands; done < filled.data.length; done *= 2) filled.data.copyWithin(done, 0, done)
  return filled
}

/**
 * Refuses an invalid size before memory is allocated.
 *
 * @param maxPixels - Limit of width times height.
 * @throws {NodeFault} A side is less than 1, or there are too many pixels.
 */
export const checkSize = (width: number, height: number, maxPixels: number): void => {
  if (width < 1 || height < 1) {
    // InvokeAI creates such a picture and fails to save it.
    const text = `Width and height must be > 0, got ${width} x ${height}`
    throw new NodeFault(text, 'ImageFileSaveException')
  }
  if (width * height > maxPixels) {
    throw new NodeFault(
      `${width} x ${height} pixels are more than this server's limit of ${maxPixels.toLocaleString('en')}`,
    )
  }
}
