import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { DecodedImage, ImageCodec } from '#server/core/picture-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { setUpSharp } from '#server/set-up-sharp.ts'
import { readEmbeddedMetadata } from '#server/storage/metadata/read-embedded-metadata.ts'
import { decoding, fromPixels, type Pixels, readReduced } from './pixels.ts'
import { placeholderOf } from './placeholder.ts'
import { type ImageHeader, readHeader } from './read-header.ts'
import { transformImage } from './transform-image.ts'

/** From here on a picture is decoded alone: formats without scan lines need all their pixels at once. */
const LARGE_PIXELS = 40_000_000

/** Effort 2 of 6: 4 was two and a half times slower for four per cent fewer bytes (5 ms and 12 at 384 px). */
const webp = { quality: 80, effort: 2 }

/**
 * Opens the codec on sharp. This sets sharp up for the whole process: other loaders are blocked, one
 * thread a picture.
 *
 * @param options - `maxPixels` an image may have; `concurrency`: pictures decoded at once, by default
 *   one more than there are cores, so that none idles while a result is handed on.
 */
export const openImageCodec = ({
  maxPixels,
  concurrency = availableParallelism() + 1,
}: {
  maxPixels: number
  concurrency?: number
}): ImageCodec => {
  setUpSharp()
  const turn = pLimit(concurrency)
  const largeTurn = pLimit(1)
  const decodeInTurn = <T>(header: ImageHeader, decode: () => Promise<T>): Promise<T> =>
    header.width * header.height > LARGE_PIXELS ? largeTurn(decode) : decode()

  const reduce = (path: string, sizePx: number, header: ImageHeader): Promise<Pixels> =>
    decodeInTurn(header, () =>
      readReduced(path, sizePx, decoding(header.mediaType, maxPixels)),
    ).catch((cause: unknown) => {
      throw new Refusal('damaged_image', undefined, { cause })
    })

  const decode = async (path: string, given: string | null): Promise<DecodedImage> => {
    const header = await readHeader(path, maxPixels)
    const pixels = await reduce(path, THUMBNAIL_SIZES[0], header)
    const [thumbnail, thumbhash] = await Promise.all([
      fromPixels(pixels).webp(webp).toBuffer(),
      placeholderOf(pixels),
    ])
    const { comments = [], exif = null } = header.metadata
    const { metadata, takenAt } = readEmbeddedMetadata({ comments, exif, given })
    const { mediaType, width, height } = header
    return { mediaType, width, height, thumbhash, thumbnail, metadata, takenAt }
  }

  return {
    decode: (path, { metadata = null } = {}) => turn(decode, path, metadata),

    thumbnail: (path, sizePx) =>
      turn(async () => {
        const pixels = await reduce(path, sizePx, await readHeader(path, maxPixels))
        return fromPixels(pixels).webp(webp).toBuffer()
      }),

    transform: (path, change) =>
      turn(async () => {
        const header = await readHeader(path, maxPixels)
        const source = decoding(header.mediaType, maxPixels)
        return decodeInTurn(header, () => transformImage(path, source, change))
      }),
  }
}
