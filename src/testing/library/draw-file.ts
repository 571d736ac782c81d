import { extname } from 'node:path'
import type { PictureKind } from '#demo/describe-picture.ts'
import { drawPicture } from '#demo/draw-picture.ts'

const KIND_BY_EXTENSION: Record<string, PictureKind> = {
  '.png': 'invokeai',
  '.jpg': 'photo',
  '.jpeg': 'photo',
  '.webp': 'plain-webp',
  '.gif': 'gif',
  '.avif': 'avif',
  '.tif': 'tiff',
  '.tiff': 'tiff',
}

/**
 * Properties of a drawn file that do not follow from its name. Files are small by default, because painting
 * takes time.
 */
export interface DrawFileOptions {
  kind?: PictureKind
  /** The default is 96. */
  widthPx?: number
  /** The default is 64. */
  heightPx?: number
}

const drawn = new Map<string, Promise<File>>()

/**
 * Draws an image for a file name. The same name gives the same bytes, and different names different ones.
 * Drawn files are cached.
 */
export function drawFile(fileName: string, options: DrawFileOptions = {}): Promise<File> {
  const key = JSON.stringify([fileName, options])
  const file = drawn.get(key) ?? draw(fileName, options)
  drawn.set(key, file)
  return file
}

async function draw(fileName: string, options: DrawFileOptions = {}): Promise<File> {
  const {
    kind = KIND_BY_EXTENSION[extname(fileName).toLowerCase()],
    widthPx = 96,
    heightPx = 64,
  } = options
  const seed = seedOf(fileName)
  const { bytes, mediaType, takenAt } = await drawPicture({ seed, kind, widthPx, heightPx })
  return new File([new Uint8Array(bytes)], fileName, { type: mediaType, lastModified: takenAt })
}

/** FNV-1a: names that differ in one letter get unrelated seeds. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}
