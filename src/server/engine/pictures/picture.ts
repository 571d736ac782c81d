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
