import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import type { ImageMediaType } from '#contract/image.ts'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type {
  DecodedImage,
  ImageCodec,
  ItemKind,
  Thumbnail,
} from '#server/core/images/picture-ports.ts'
import type { FileIntake } from '#server/core/intake/file-intake.ts'
import { Refusal } from '#server/core/refusal.ts'
import { decodeMemory, MAX_PIXEL_MEMORY_BYTES } from '#server/processes/decode-memory.ts'
import {
  drawThumbnail,
  encodeThumbnail,
  type Pixels,
  reduce,
  thumbnailFingerprint,
} from '#server/processes/draw-thumbnail.ts'
import { openWithSharp, setUpSharp } from '#server/processes/open-with-sharp.ts'
import { conversionMemory, convertImage } from '#server/storage/conversion/convert-image.ts'
import type { Sidecars } from '#server/storage/metadata/found-metadata.ts'
import {
  readEmbeddedMetadata,
  unreadMetadata,
} from '#server/storage/metadata/read-embedded-metadata.ts'
import { assertMemory, type ImageHeader, readHeader } from './read-header.ts'
import { readHiddenText } from './read-hidden-text.ts'
import { readSource } from './read-source.ts'
import { transformImage, transformMemory } from './transform-image.ts'
import { decodeVideo, videoPoster, videoStrip, videoThumbnail } from './video-codec.ts'

interface DecodeInput {
  metadata?: string | null
  sidecars?: Sidecars
  thumbnail?: Thumbnail | null
  /** False marks the metadata as unread. Default: true. */
  readsMetadata?: boolean
  /** Required kind of the file. Default: an image. */
  kind?: ItemKind
  /** False leaves out the poster of a video. Default: true. */
  drawsPoster?: boolean
  /** Time of the poster of a video. Default: a frame with good contrast. */
  posterMs?: number | null
}

export interface Codec extends ImageCodec, Pick<FileIntake, 'readMetadata'> {
  decode(path: string, given?: DecodeInput): Promise<DecodedImage>
}

/**
 * Opens the codec, based on sharp. This configures sharp for the whole process: other loaders are blocked, and one
 * thread decodes one image. The server runs it in separate processes (`openCodecProcesses`).
 *
 * @param options - `maxPixels`: limit per image. `concurrency`: images decoded at the same time, by default one more
 *   than there are cores, so that no core idles while a result is handed over. `readMetadata`: replaces the reader,
 *   for a process that limits its time. `limitVideo`: runs the work on one video, also for such a process.
 */
export const openImageCodec = ({
  maxPixels,
  concurrency = availableParallelism() + 1,
  readMetadata = readEmbeddedMetadata,
  limitVideo = (work) => work(),
}: {
  maxPixels: number
  concurrency?: number
  readMetadata?: typeof readEmbeddedMetadata
  limitVideo?: <T>(work: () => Promise<T>) => Promise<T>
}): Codec => {
  setUpSharp()
  const turn = pLimit(concurrency)
  const memory = memoryBudget(MAX_PIXEL_MEMORY_BYTES)

  /** Decodes the first page, with EXIF orientation applied, in one pass over the file. */
  const readReduced = (path: string, sizePx: number, header: ImageHeader): Promise<Pixels> =>
    memory
      .use(decodeMemory(header.metadata), async () => {
        const image = await openWithSharp(path, decoding(header.mediaType, maxPixels))
        return reduce(image.autoOrient(), sizePx)
      })
      .catch((cause: unknown) => {
        throw new Refusal('damaged_image', undefined, { cause })
      })

  const draw = async (path: string, header: ImageHeader) => {
    const reduced = await readReduced(path, THUMBNAIL_SIZES[0], header)
    return { drawn: await drawThumbnail(reduced), reduced }
  }

  /**
   * Looks for texts in the pixels only if the file says nothing else about its generator. Sidecars come last, because
   * hidden texts are part of the file.
   *
   * @param given.reduced - The picture that was drawn from the file. null: none was needed.
   */
  const metadataIn = async (
    path: string,
    header: ImageHeader,
    {
      given,
      sidecars,
      reduced = null,
    }: { given: string | null; sidecars: Sidecars; reduced?: Pixels | null },
  ) => {
    const source = { ...(await readSource(path, header)), given }
    const read = readMetadata(source)
    const hasSidecars = Object.keys(sidecars).length > 0
    const isKnown = (read.metadata.normal?.generator ?? null) !== null
    if (isKnown && !hasSidecars) return read
    const options = decoding(header.mediaType, maxPixels)
    const look = () => readHiddenText(path, header.metadata, options, reduced)
    const bytes = decodeMemory(header.metadata, header.metadata.channels)
    const hidden = isKnown ? null : await memory.use(bytes, look).catch(() => null)
    return hidden === null && !hasSidecars ? read : readMetadata({ ...source, hidden, sidecars })
  }

  const decode = async (
    path: string,
    { metadata: given = null, sidecars = {}, thumbnail = null, readsMetadata = true }: DecodeInput,
  ): Promise<DecodedImage> => {
    const header = await readHeader(path, maxPixels)
    const { drawn, reduced } =
      thumbnail === null ? await draw(path, header) : { drawn: thumbnail, reduced: null }
    const { mediaType, width, height, isAnimated } = header
    const { metadata, ...read } = readsMetadata
      ? await metadataIn(path, header, { given, sidecars, reduced })
      : { metadata: unreadMetadata, takenAt: null }
    return { mediaType, width, height, isAnimated, ...drawn, metadata, ...read }
  }

  return {
    prepare: () => undefined,

    decode: (path, given = {}) =>
      given.kind === 'video'
        ? limitVideo(() => decodeVideo(path, given, { maxPixels, readMetadata }))
        : turn(decode, path, given),

    readMetadata: (path, { metadata: given, sidecars }) =>
      turn(async () => {
        const header = await readHeader(path, maxPixels)
        const { metadata, marks } = await metadataIn(path, header, { given, sidecars })
        return { metadata, marks, isAnimated: header.isAnimated }
      }),

    thumbnail: (path, sizePx, kind, posterMs = null) =>
      kind === 'video'
        ? limitVideo(() => videoThumbnail(path, sizePx, posterMs))
        : turn(async () => {
            const pixels = await readReduced(path, sizePx, await readHeader(path, maxPixels))
            return encodeThumbnail(pixels)
          }),

    fingerprint: (thumbnail) =>
      turn(() =>
        thumbnailFingerprint(thumbnail).catch((cause: unknown) => {
          throw new Refusal('damaged_image', undefined, { cause })
        }),
      ),

    poster: (path, posterMs) => limitVideo(() => videoPoster(path, posterMs)),

    strip: (path) => limitVideo(() => videoStrip(path)),

    transform: (path, change) =>
      turn(async () => {
        const header = await readHeader(path, maxPixels)
        const source = decoding(header.mediaType, maxPixels)
        const bytes = transformMemory(header.metadata, change)
        assertMemory(header, bytes)
        return memory.use(bytes, () => transformImage(path, source, header.metadata, change))
      }),

    convert: (path, form) =>
      turn(async () => {
        const header = await readHeader(path, maxPixels)
        const source = decoding(header.mediaType, maxPixels)
        const bytes = conversionMemory(header, form)
        assertMemory(header, bytes)
        return memory.use(bytes, () => convertImage(path, header, form, source))
      }),
  }
}

/** Starts work in order of arrival while it fits into memory. Work that needs more memory runs alone. */
const memoryBudget = (maxBytes: number) => {
  let used = 0
  const waiting: { bytes: number; start(): void }[] = []
  const startNext = () => {
    for (;;) {
      const [next] = waiting
      if (next === undefined || used + next.bytes > maxBytes) return
      waiting.shift()
      used += next.bytes
      next.start()
    }
  }
  return {
    use: async <T>(neededBytes: number, work: () => Promise<T>): Promise<T> => {
      const bytes = Math.min(neededBytes, maxBytes)
      await new Promise<void>((start) => {
        waiting.push({ bytes, start })
        startNext()
      })
      try {
        return await work()
      } finally {
        used -= bytes
        startNext()
      }
    },
  }
}

/** Only truncation is an error: cameras and old programs write files that cause decoder warnings. */
const decoding = (mediaType: ImageMediaType, maxPixels: number) => ({
  // The decoder reports the missing end of an uncompressed TIFF as `error`, and fills up with grey pixels.
  failOn: mediaType === 'image/tiff' ? ('error' as const) : ('truncated' as const),
  limitInputPixels: maxPixels,
  sequentialRead: true,
})
