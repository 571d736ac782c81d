import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { DecodedImage, ImageCodec, Thumbnail } from '#server/core/picture-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { decodeMemory, MAX_PIXEL_MEMORY_BYTES } from '#server/processes/decode-memory.ts'
import { drawThumbnail, encodeThumbnail, type Pixels } from '#server/processes/draw-thumbnail.ts'
import { setUpSharp } from '#server/processes/set-up-sharp.ts'
import {
  readEmbeddedMetadata,
  unreadMetadata,
} from '#server/storage/metadata/read-embedded-metadata.ts'
import { memoryBudget } from './memory-budget.ts'
import { decoding, readReduced } from './pixels.ts'
import { assertMemory, type ImageHeader, readHeader } from './read-header.ts'
import { transformImage, transformMemory } from './transform-image.ts'

interface Given {
  metadata?: string | null
  thumbnail?: Thumbnail | null
  /** False marks the metadata as unread. Default: true. */
  readsMetadata?: boolean
}

/** The codec of this process. */
export interface Codec extends ImageCodec {
  decode(path: string, given?: Given): Promise<DecodedImage>
}

/**
 * Opens the codec on sharp. This sets up sharp for the whole process: other loaders are blocked, one
 * thread decodes one picture. The server runs it in processes of its own (`openCodecProcesses`).
 *
 * @param options - `maxPixels` an image may have; `concurrency`: pictures decoded at once, by default
 *   one more than there are cores, so that no core idles while a result is handed on; `readMetadata`
 *   replaces the reader, for a process that limits its time.
 */
export const openImageCodec = ({
  maxPixels,
  concurrency = availableParallelism() + 1,
  readMetadata = readEmbeddedMetadata,
}: {
  maxPixels: number
  concurrency?: number
  readMetadata?: typeof readEmbeddedMetadata
}): Codec => {
  setUpSharp()
  const turn = pLimit(concurrency)
  const memory = memoryBudget(MAX_PIXEL_MEMORY_BYTES)

  const reduce = (path: string, sizePx: number, header: ImageHeader): Promise<Pixels> =>
    memory
      .use(decodeMemory(header.metadata), () =>
        readReduced(path, sizePx, decoding(header.mediaType, maxPixels)),
      )
      .catch((cause: unknown) => {
        throw new Refusal('damaged_image', undefined, { cause })
      })

  const decode = async (
    path: string,
    { metadata: given = null, thumbnail = null, readsMetadata = true }: Given,
  ): Promise<DecodedImage> => {
    const header = await readHeader(path, maxPixels)
    const drawn = thumbnail ?? (await drawThumbnail(await reduce(path, THUMBNAIL_SIZES[0], header)))
    const { comments = [], exif = null } = header.metadata
    const { metadata, takenAt } = readsMetadata
      ? readMetadata({ comments, exif, given })
      : { metadata: unreadMetadata, takenAt: null }
    const { mediaType, width, height } = header
    return { mediaType, width, height, ...drawn, metadata, takenAt }
  }

  return {
    prepare: () => undefined,

    decode: (path, given = {}) => turn(decode, path, given),

    thumbnail: (path, sizePx) =>
      turn(async () => {
        const pixels = await reduce(path, sizePx, await readHeader(path, maxPixels))
        return encodeThumbnail(pixels)
      }),

    transform: (path, change) =>
      turn(async () => {
        const header = await readHeader(path, maxPixels)
        const source = decoding(header.mediaType, maxPixels)
        const bytes = transformMemory(header.metadata, change)
        assertMemory(header, bytes)
        return memory.use(bytes, () => transformImage(path, source, header.metadata, change))
      }),
  }
}
