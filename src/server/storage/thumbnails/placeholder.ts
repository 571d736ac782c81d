import { rgbaToThumbHash } from 'thumbhash'
import { fromPixels, type Pixels } from './pixels.ts'

/** A thumbhash holds seven waves a side at most; more pixels than these cost time and add nothing. */
const MAX_PX = 32

/** The thumbhash of decoded pixels: at most 25 bytes. */
export const placeholderOf = async (pixels: Pixels): Promise<Uint8Array> => {
  const { data, info } = await fromPixels(pixels)
    .resize(MAX_PX, MAX_PX, { fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return rgbaToThumbHash(info.width, info.height, data)
}
