import type { ImageMediaType } from '#contract/image.ts'
import { type Pixels, reduce } from '#server/processes/draw-thumbnail.ts'
import { openWithSharp } from '#server/processes/open-with-sharp.ts'

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
): Promise<Pixels> => reduce((await openWithSharp(path, source)).autoOrient(), sizePx)
