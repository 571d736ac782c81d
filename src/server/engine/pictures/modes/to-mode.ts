import { inSlices } from '#server/engine/pictures/in-slices.ts'
import {
  type ByteMode,
  type BytePicture,
  bandsOf,
  type Picture,
  type PictureMode,
} from '#server/engine/pictures/picture.ts'
import { cmykLoops } from './cmyk.ts'
import { greyLoops } from './grey.ts'
import { hsvLoops } from './hsv.ts'
import { labLoops } from './lab.ts'
import type { Bands, PixelLoop } from './pixel-loop.ts'
import { ycbcrLoops } from './ycbcr.ts'

const loops: Readonly<Record<string, PixelLoop>> = {
  ...greyLoops,
  ...cmykLoops,
  ...hsvLoops,
  ...ycbcrLoops,
  ...labLoops,
}

/** Where a conversion goes first that has no loop of its own. */
const detour = (mode: PictureMode): PictureMode => (['LA', 'I', 'F'].includes(mode) ? 'L' : 'RGB')

const bandsFor = (mode: PictureMode, pixels: number): Bands => {
  if (mode === 'I') return new Int32Array(pixels)
  if (mode === 'F') return new Float32Array(pixels)
  return new Uint8Array(pixels * bandsOf[mode])
}

/**
 * The same picture in another mode, by Pillow's formulas; itself where it has the mode. Alpha is dropped or
 * comes in opaque, colours are not blended with it. 16-bit grey is cut to 255 where it becomes a byte.
 *
 * @throws The signal's reason, once it is aborted.
 */
export function toMode(picture: Picture, mode: ByteMode, signal: AbortSignal): Promise<BytePicture>
export function toMode(picture: Picture, mode: PictureMode, signal: AbortSignal): Promise<Picture>
export async function toMode(
  picture: Picture,
  mode: PictureMode,
  signal: AbortSignal,
): Promise<Picture> {
  if (picture.mode === mode) return picture
  const loop = loops[`${picture.mode}>${mode}`]
  if (loop === undefined) {
    return toMode(await toMode(picture, detour(picture.mode), signal), mode, signal)
  }
  const { width, height } = picture
  const data = bandsFor(mode, width * height)
  await inSlices(width * height, 1, signal, (from, to) => loop(picture.data, data, from, to))
  return { mode, width, height, data }
}
