import sharp from 'sharp'
import type { ImageMediaType } from '#contract/image.ts'

/** Decoded pixels, 8 bits a channel: grey, grey with alpha, RGB or RGBA. */
export interface Pixels {
  bytes: Buffer
  width: number
  height: number
  channels: 1 | 2 | 3 | 4
}

/** Only what is cut off is an error: cameras and old programs write files that make decoders grumble. */
export const decoding = (mediaType: ImageMediaType, maxPixels: number) => ({
  // The missing end of a TIFF without compression is to its decoder one more error, and grey pixels.
  failOn: mediaType === 'image/tiff' ? ('error' as const) : ('truncated' as const),
  limitInputPixels: maxPixels,
  sequentialRead: true,
})

/** Decodes the first page, upright, at most this large: one pass over the file, whatever its size. */
export const readReduced = async (
  path: string,
  sizePx: number,
  source: ReturnType<typeof decoding>,
): Promise<Pixels> => {
  const { data, info } = await sharp(path, source)
    .autoOrient()
    .resize(sizePx, sizePx, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height, channels: info.channels as 3 | 4 }
}

/** A pipeline that goes on from decoded pixels. */
export const fromPixels = ({ bytes, width, height, channels }: Pixels) =>
  sharp(bytes, { raw: { width, height, channels } })
