import { open } from 'node:fs/promises'
import type { InputVideoTrack } from 'mediabunny'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { DecodedImage, Thumbnail } from '#server/core/images/picture-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { drawThumbnail, encodeThumbnail, reduce } from '#server/processes/draw-thumbnail.ts'
import { frameAt, posterOf } from '#server/processes/video-poster.ts'
import { stripOf } from '#server/processes/video-strip.ts'
import type { Sidecars } from '#server/storage/metadata/found-metadata.ts'
import type { readEmbeddedMetadata } from '#server/storage/metadata/read-embedded-metadata.ts'
import { movieDateOf, readVideoHeader, type VideoHeader, withVideo } from './read-video.ts'

/** Of a video without a poster. */
const NO_POSTER = {
  thumbnail: new Uint8Array(0),
  thumbhash: new Uint8Array(0),
  fingerprint: null,
}

/**
 * Reads a video and draws its poster.
 *
 * @throws {Refusal} `not_a_video`, `unsupported_video`, `damaged_video`, `too_many_pixels`, `empty_file`.
 */
export const decodeVideo = async (
  path: string,
  given: {
    metadata?: string | null
    sidecars?: Sidecars
    drawsPoster?: boolean
    posterMs?: number | null
  },
  options: { maxPixels: number; readMetadata: typeof readEmbeddedMetadata },
): Promise<DecodedImage> => {
  await assertFull(path)
  return withVideo(path, async (input) => {
    const { header, track } = await readVideoHeader(input)
    const { mediaType, width, height, takenAt: tagged, texts, ...video } = header
    const takenAt = tagged ?? (await movieDateOf(path))
    assertPixels(header, options.maxPixels)
    const reduced =
      given.drawsPoster === false
        ? null
        : await reducedPoster(track, header, THUMBNAIL_SIZES[0], given.posterMs)
    const drawn = reduced === null ? NO_POSTER : await drawThumbnail(reduced)
    const { metadata } = options.readMetadata({
      ...{ comments: texts, exif: null },
      given: given.metadata ?? null,
      sidecars: given.sidecars ?? {},
    })
    return { mediaType, width, height, isAnimated: false, video, ...drawn, metadata, takenAt }
  })
}

/** @throws {Refusal} `damaged_image` if no frame can be decoded. */
export const videoThumbnail = async (
  path: string,
  sizePx: number,
  posterMs: number | null,
): Promise<Uint8Array> => encodeThumbnail(await posterIn(path, sizePx, posterMs))

/** @throws {Refusal} `damaged_image` if no frame can be decoded. */
export const videoPoster = async (path: string, posterMs: number | null): Promise<Thumbnail> =>
  drawThumbnail(await posterIn(path, THUMBNAIL_SIZES[0], posterMs))

/** @throws {Refusal} `damaged_image` if no frame can be decoded. */
export const videoStrip = (path: string): Promise<Uint8Array> =>
  withVideo(path, async (input) => {
    const { header, track } = await readVideoHeader(input)
    const strip = await stripOf(track, header).catch(() => null)
    if (strip === null) throw new Refusal('damaged_image')
    return strip
  })

const posterIn = (path: string, sizePx: number, posterMs: number | null) =>
  withVideo(path, async (input) => {
    const { header, track } = await readVideoHeader(input)
    const reduced = await reducedPoster(track, header, sizePx, posterMs)
    if (reduced === null) throw new Refusal('damaged_image')
    return reduced
  })

/** null: no frame can be decoded, so that the video is stored without a poster. */
const reducedPoster = async (
  track: InputVideoTrack,
  header: VideoHeader,
  sizePx: number,
  posterMs: number | null = null,
) => {
  const drawn =
    posterMs === null ? posterOf(track, header.duration_ms) : frameAt(track, posterMs / 1000)
  const poster = await drawn.catch(() => null)
  return poster === null ? null : reduce(poster, sizePx)
}

const assertFull = async (path: string): Promise<void> => {
  await using file = await open(path, 'r')
  if ((await file.stat()).size === 0) throw new Refusal('empty_file')
}

const assertPixels = ({ width, height }: VideoHeader, maxPixels: number): void => {
  if (width * height <= maxPixels) return
  throw new Refusal(
    'too_many_pixels',
    `Failed to read video: ${width} x ${height} pixels are more than this server's limit of ${maxPixels.toLocaleString('en')}.`,
  )
}
