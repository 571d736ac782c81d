import { access } from 'node:fs/promises'
import type { Metadata, ResizeOptions, Sharp } from 'sharp'
import { NodeFault } from '#server/engine/node-fault.ts'
import {
  decodeMemory,
  type FileHeader,
  MAX_PIXEL_MEMORY_BYTES,
  readFileHeader,
  turnedBytesOf,
} from '#server/processes/decode-memory.ts'
import { openWithSharp } from '#server/processes/open-with-sharp.ts'
import { checkSize, type Picture } from './picture.ts'

const headerOf = async (path: string): Promise<FileHeader> => {
  await access(path).catch((cause: unknown) => {
    throw new NodeFault('Image file not found', 'ImageFileNotFoundException', { cause })
  })
  return readFileHeader(path).catch((cause: unknown) => {
    throw new NodeFault('The file is not an image', 'UnidentifiedImageError', { cause })
  })
}

/** True if the profile contains the name sRGB, in Latin-1 or UTF-16. */
const isSrgbProfile = (profile: Uint8Array): boolean => {
  const bytes = Buffer.from(profile.buffer, profile.byteOffset, profile.byteLength)
  return bytes.includes('sRGB') || bytes.includes('s\0R\0G\0B')
}

/** The layout that a file is decoded to. */
type ReadMode = 'L' | 'LA' | 'I' | 'color'

const modeOf = ({ space, isPalette, hasAlpha, depth }: Metadata): ReadMode => {
  if (isPalette || !['b-w', 'grey16'].includes(space)) return 'color'
  if (hasAlpha) return 'LA'
  return depth === 'ushort' ? 'I' : 'L'
}

/** Converts RGBA to LA. sharp returns LA as RGBA, and raw pixels in its gray color space would lack the alpha. */
const narrowToGray = (rgba: Uint8Array): Uint8Array => {
  const data = new Uint8Array(rgba.length / 2)
  for (let at = 0; at < data.length; at += 2) {
    data[at] = rgba[at * 2] ?? 0
    data[at + 1] = rgba[at * 2 + 3] ?? 0
  }
  return data
}

/**
 * Refuses a file whose pixels do not fit in memory, before decoding. A picture that is shrunk in the same pass needs
 * the memory of the small one.
 */
const assertMemory = (header: FileHeader, mode: ReadMode, shrink?: ResizeOptions): void => {
  const { width, height } = header.autoOrient
  const part = ((shrink?.width ?? width) * (shrink?.height ?? height)) / (width * height)
  // For these modes another layout is decoded first: 16 bits per pixel, or RGBA.
  const decodedBytes = mode === 'I' || mode === 'LA' ? 6 : header.channels
  const bytes = decodeMemory(header, part * (decodedBytes + turnedBytesOf(header)))
  if (bytes <= MAX_PIXEL_MEMORY_BYTES) return
  const [needed, limit] = [bytes, MAX_PIXEL_MEMORY_BYTES].map((each) => Math.round(each / 1e6))
  throw new NodeFault(
    `Decoding ${width} x ${height} pixels in this format takes ${needed} MB of memory; the limit is ${limit} MB`,
  )
}

/** sharp's color space for each mode. */
const decodedSpace = { L: 'b-w', I: 'grey16', LA: 'srgb', color: 'srgb' } as const

/** A file with a parsed header. Width and height are those of the upright picture. */
export interface PictureFile {
  readonly width: number
  readonly height: number
  /** True if `decode` can shrink. */
  readonly isShrinkable: boolean
  /**
   * Decodes the pixels and optionally shrinks them in the same pass, which saves memory and time.
   *
   * @throws {NodeFault} `ValueError`: the file is damaged, or decoding needs too much memory.
   */
  decode(shrink?: ResizeOptions): Promise<Picture>
}

/**
 * Opens a file. It is decoded to Pillow's mode: `L`, `LA`, `RGB`, `RGBA`, or `I` for 16-bit grayscale. Palettes and
 * CMYK become RGB, and other 16-bit pictures lose their lower 8 bits. Colors of another profile become sRGB, because
 * results of nodes are saved without a profile.
 *
 * @param maxPixels - Limit of width times height.
 * @throws {NodeFault} `ImageFileNotFoundException`, `UnidentifiedImageError`, or `ValueError` for too many pixels.
 */
export const openPicture = async (
  path: string,
  { maxPixels }: { maxPixels: number },
): Promise<PictureFile> => {
  const header = await headerOf(path)
  const { width, height } = header.autoOrient
  checkSize(width, height, maxPixels)
  const mode = modeOf(header)
  return {
    width,
    height,
    isShrinkable: mode === 'L' || mode === 'color',
    decode: async (shrink) => {
      assertMemory(header, mode, shrink)
      const file = await openWithSharp(path, {
        limitInputPixels: maxPixels,
        failOn: header.format === 'tiff' ? 'error' : 'truncated',
        sequentialRead: true,
        ignoreIcc: mode !== 'color' || header.icc === undefined || isSrgbProfile(header.icc),
      }).catch(damaged)
      const upright = file.autoOrient()
      return pictureFrom(shrink ? upright.resize(shrink) : upright, mode)
    },
  }
}

/** Reads a whole file. See `openPicture` and `PictureFile.decode`. */
export const readPicture = async (path: string, options: { maxPixels: number }): Promise<Picture> =>
  (await openPicture(path, options)).decode()

const damaged = (cause: unknown): never => {
  throw new NodeFault('The image is damaged: its pixels cannot be read', undefined, { cause })
}

const pictureFrom = async (source: Sharp, mode: ReadMode): Promise<Picture> => {
  const { data, info } = await source
    .toColourspace(decodedSpace[mode])
    .raw({ depth: mode === 'I' ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(damaged)
  const { width, height } = info
  if (mode === 'I') {
    const deep = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2)
    return { mode, width, height, data: Int32Array.from(deep) }
  }
  // A view without Buffer's methods: loops that see only one array type remain fast.
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  if (mode === 'LA') return { mode, width, height, data: narrowToGray(bytes) }
  if (mode === 'L') return { mode, width, height, data: bytes }
  return { mode: info.channels === 4 ? 'RGBA' : 'RGB', width, height, data: bytes }
}
