import { NodeFault } from '#server/engine/node-fault.ts'

/** How the bands of a pixel are to be read; Pillow's names. */
export type PictureMode = 'L' | 'LA' | 'RGB' | 'RGBA' | 'CMYK' | 'YCbCr' | 'LAB' | 'HSV' | 'I' | 'F'

/** Bands of each mode. */
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
 * Pixels in memory, row by row, bands interleaved: `data.length` is width * height * bands. A byte a band,
 * but for `I` (32-bit integers) and `F` (32-bit floats).
 */
export interface Picture {
  readonly mode: PictureMode
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Int32Array | Float32Array
}

/** The modes of a byte a band. */
export type ByteMode = Exclude<PictureMode, 'I' | 'F'>

/** A picture of a byte a band. */
export interface BytePicture extends Picture {
  readonly mode: ByteMode
  readonly data: Uint8Array
}

/** Whether its bands are bytes. */
export const isBytePicture = (picture: Picture): picture is BytePicture =>
  picture.data instanceof Uint8Array

/** A picture with every band 0: black, and transparent where there is an alpha. */
export const emptyPicture = (mode: ByteMode, width: number, height: number): BytePicture => ({
  mode,
  width,
  height,
  data: new Uint8Array(width * height * bandsOf[mode]),
})

/** Whether the last band is an alpha. */
export const hasAlpha = ({ mode }: Picture): boolean => mode === 'LA' || mode === 'RGBA'

/** A picture of another size with all bands 0, in the mode of this one. */
export const pictureLike = ({ mode, data }: Picture, width: number, height: number): Picture => {
  const length = width * height * bandsOf[mode]
  if (data instanceof Int32Array) return { mode, width, height, data: new Int32Array(length) }
  if (data instanceof Float32Array) return { mode, width, height, data: new Float32Array(length) }
  return { mode, width, height, data: new Uint8Array(length) }
}

/**
 * A picture of one colour.
 *
 * @param pixel - Its bands; more than the mode has are left out.
 */
export const filledPicture = (
  mode: ByteMode,
  { width, height }: { width: number; height: number },
  pixel: readonly number[],
): BytePicture => {
  const filled = emptyPicture(mode, width, height)
  const bands = bandsOf[mode]
  filled.data.set(pixel.slice(0, bands))
  // Doubles what is there: a few copies of memory instead of a loop over every pixel.
  for (let done = bands; done < filled.data.length; done *= 2) filled.data.copyWithin(done, 0, done)
  return filled
}

/**
 * Refuses a size before memory is taken for it.
 *
 * @param maxPixels - Width times height that a picture may have.
 * @throws {NodeFault} A side below 1, or too many pixels.
 */
export const checkSize = (width: number, height: number, maxPixels: number): void => {
  if (width < 1 || height < 1) {
    // InvokeAI makes such a picture and fails when it saves it.
    const text = `Width and height must be > 0, got ${width} x ${height}`
    throw new NodeFault(text, 'ImageFileSaveException')
  }
  if (width * height > maxPixels) {
    const millions = Math.floor(maxPixels / 1e6)
    throw new NodeFault(
      `${width} x ${height} pixels are more than this server's limit of ${millions} million`,
    )
  }
}
