import { access } from 'node:fs/promises'
import sharp, { type Metadata } from 'sharp'
import { NodeFault } from '#server/engine/node-fault.ts'
import { checkSize } from './check-size.ts'
import type { Picture } from './picture.ts'

const headerOf = async (path: string): Promise<Metadata> => {
  await access(path).catch((cause: unknown) => {
    throw new NodeFault('Image file not found', 'ImageFileNotFoundException', { cause })
  })
  return sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw new NodeFault('The file is not an image', 'UnidentifiedImageError', { cause })
    })
}

/** sRGB's profiles name themselves, in Latin or in UTF-16. */
const isSrgbProfile = (profile: Uint8Array): boolean => {
  const bytes = Buffer.from(profile.buffer, profile.byteOffset, profile.byteLength)
  return bytes.includes('sRGB') || bytes.includes('s\0R\0G\0B')
}

/** The mode that the file is read in. */
const modeOf = ({ space, isPalette, hasAlpha, depth }: Metadata): 'L' | 'LA' | 'I' | 'colour' => {
  if (isPalette || !['b-w', 'grey16'].includes(space)) return 'colour'
  if (hasAlpha) return 'LA'
  return depth === 'ushort' ? 'I' : 'L'
}

/** sharp gives grey with alpha as RGBA: raw pixels in its grey space would lose the alpha. */
const narrowToGrey = (rgba: Uint8Array): Uint8Array => {
  const data = new Uint8Array(rgba.length / 2)
  for (let at = 0; at < data.length; at += 2) {
    data[at] = rgba[at * 2] ?? 0
    data[at + 1] = rgba[at * 2 + 3] ?? 0
  }
  return data
}

/** sharp's name of what each mode is decoded to. */
const decodedSpace = { L: 'b-w', I: 'grey16', LA: 'srgb', colour: 'srgb' } as const

/**
 * Decodes a file, upright, into the mode that Pillow would give it: `L`, `LA`, `RGB`, `RGBA`, or `I` for grey
 * of 16 bits. Palettes and inks become RGB, other 16-bit pictures lose their lower 8 bits. Colours of a
 * profile other than sRGB become sRGB, since what a node makes is saved without a profile.
 *
 * @param maxPixels - Width times height that the file may have.
 * @throws {NodeFault} `ImageFileNotFoundException`, `UnidentifiedImageError`; `ValueError` where it has too many
 *   pixels or is damaged.
 */
export const readPicture = async (
  path: string,
  { maxPixels }: { maxPixels: number },
): Promise<Picture> => {
  const header = await headerOf(path)
  checkSize(header.width, header.height, maxPixels)
  const mode = modeOf(header)
  const { data, info } = await sharp(path, {
    limitInputPixels: maxPixels,
    failOn: header.format === 'tiff' ? 'error' : 'truncated',
    sequentialRead: true,
    ignoreIcc: mode !== 'colour' || header.icc === undefined || isSrgbProfile(header.icc),
  })
    .autoOrient()
    .toColourspace(decodedSpace[mode])
    .raw({ depth: mode === 'I' ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw new NodeFault('The image is damaged: its pixels cannot be read', undefined, { cause })
    })
  const { width, height } = info
  if (mode === 'I') {
    const deep = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2)
    return { mode, width, height, data: Int32Array.from(deep) }
  }
  // A view without Buffer's methods: loops meet one type of array only and stay fast.
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  if (mode === 'LA') return { mode, width, height, data: narrowToGrey(bytes) }
  if (mode === 'L') return { mode, width, height, data: bytes }
  return { mode: info.channels === 4 ? 'RGBA' : 'RGB', width, height, data: bytes }
}
