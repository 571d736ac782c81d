import { MAX_POSTER_BYTES, THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { VideoRecord } from '#contract/videos/video.ts'
import type { ImageFiles } from '#server/core/intake/file-ports.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import type { VideoRecords } from './image-ports.ts'
import type { OriginalCheck } from './original-check.ts'
import type { DecodedImage, ImageCodec } from './picture-ports.ts'
import type { ThumbnailService } from './thumbnail-service.ts'

export interface PosterParts {
  videos: Pick<VideoRecords, 'get' | 'setPoster'>
  files: Pick<ImageFiles, 'local' | 'receive' | 'discard'>
  originals: Pick<OriginalCheck, 'assertWhole'>
  codec: Pick<ImageCodec, 'decode' | 'poster' | 'thumbnail'>
  thumbnails: Pick<ThumbnailService, 'get' | 'replace'>
}

interface PosterOptions {
  /** null: the server chooses a frame. undefined: a video with a poster keeps it. */
  timeMs: number | null | undefined
  /** The frame as an image file, for a video that this server cannot decode. */
  picture: Uint8Array | null
}

/** A poster in the sizes that are known. */
interface Poster extends Pick<DecodedImage, 'thumbhash' | 'fingerprint'> {
  pictures: ReadonlyMap<number, Uint8Array>
}

const NO_POSTER: Poster = {
  thumbhash: new Uint8Array(0),
  fingerprint: null,
  pictures: new Map(),
}

/** Changes the posters of videos (a Tessera extension). */
export class PosterService {
  readonly #parts: PosterParts

  constructor(parts: PosterParts) {
    this.#parts = parts
  }

  /**
   * Makes another frame the poster. A server that cannot decode the video takes the picture.
   *
   * @throws {Refusal} `video_not_found`, also in the trash; `cannot_draw_poster`: this needs a picture;
   *   `original_damaged`, `disk_full`, and the refusals of `ImageCodec.decode` for the picture.
   */
  async set(videoName: string, { timeMs, picture }: PosterOptions): Promise<VideoRecord> {
    if (timeMs === undefined && picture === null) throw new Refusal('invalid_request')
    const video = await this.#parts.videos.get(videoName)
    if (video === null || video.deleted_at !== null) throw new Refusal('video_not_found')
    if (timeMs === undefined && (await this.#hasPoster(videoName))) return video
    const chosen = timeMs === undefined ? video.poster_ms : timeMs
    const poster =
      (await this.#decoded(video, chosen)) ?? (picture === null ? null : await this.#sent(picture))
    if (poster === null && chosen !== null) throw new Refusal('cannot_draw_poster')
    const { pictures, ...drawn } = poster ?? NO_POSTER
    const changed = await this.#parts.thumbnails.replace(videoName, chosen, pictures, () =>
      this.#parts.videos.setPoster(videoName, { timeMs: chosen, ...drawn }),
    )
    return orRefuse(changed, 'video_not_found')
  }

  async #hasPoster(videoName: string): Promise<boolean> {
    const thumbnail = this.#parts.thumbnails.get(videoName)
    return (await ifDecodable(thumbnail)) !== null
  }

  async #decoded(video: VideoRecord, timeMs: number | null): Promise<Poster | null> {
    const { originals, files, codec } = this.#parts
    await originals.assertWhole({ ...video, image_name: video.video_name })
    await using file = orRefuse(await files.local(video.video_name), 'video_not_found')
    const drawn = await ifDecodable(codec.poster(file.path, timeMs))
    return (
      drawn && {
        thumbhash: drawn.thumbhash,
        fingerprint: drawn.fingerprint,
        pictures: new Map([[THUMBNAIL_SIZES[0], drawn.thumbnail]]),
      }
    )
  }

  /** Makes every size, because this server could not make one from the video. */
  async #sent(picture: Uint8Array): Promise<Poster> {
    const { files, codec } = this.#parts
    const source = (async function* () {
      yield picture
    })()
    const incoming = await files.receive(source, { maxBytes: MAX_POSTER_BYTES })
    try {
      const { thumbhash, fingerprint, thumbnail } = await codec.decode(incoming.path)
      const [first, ...larger] = THUMBNAIL_SIZES
      const pictures = new Map<number, Uint8Array>([[first, thumbnail]])
      for (const size of larger) pictures.set(size, await codec.thumbnail(incoming.path, size))
      return { thumbhash, fingerprint, pictures }
    } finally {
      await files.discard(incoming)
    }
  }
}

/** Returns null if nothing on this server can decode the video. */
const ifDecodable = async <T>(drawing: Promise<T>): Promise<T | null> => {
  try {
    return await drawing
  } catch (error) {
    const isRefused = error instanceof Refusal
    if (isRefused && (error.code === 'damaged_image' || error.code === 'too_many_pixels'))
      return null
    throw error
  }
}
