import sharp from 'sharp'
import type { ImageMediaType } from '#contract/image.ts'
import {
  describePicture,
  NEWEST_DATE,
  type PictureDescription,
  type PictureWish,
} from './describe-picture.ts'
import { encodePicture } from './encode-picture.ts'
import { lookOf } from './look.ts'
import { paint } from './paint.ts'

/** Larger pictures are painted at this size and enlarged: painting is what takes the time. */
const MAX_PAINTED_PX = 640

/** A picture as a file. */
export interface DrawnPicture {
  bytes: Buffer
  fileName: string
  mediaType: ImageMediaType
  /** Milliseconds since 1970: when a person made it. In a photo's EXIF, otherwise the file's own date. */
  takenAt: number
  description: PictureDescription
}

/**
 * Draws a picture and embeds what its generator or camera would.
 *
 * The same wish gives the same bytes. `newest` (milliseconds since 1970) is the date that ages count
 * back from.
 *
 * @example
 * const { bytes, fileName } = await drawPicture({ seed: 7, kind: 'comfyui', widthPx: 256, heightPx: 256 })
 */
export const drawPicture = async ({
  seed,
  newest = NEWEST_DATE,
  ...wish
}: PictureWish & { seed: number; newest?: number }): Promise<DrawnPicture> => {
  const description = describePicture(seed, wish)
  const { widthPx, heightPx, fileName, mediaType } = description
  const { subject, palette, random } = lookOf(seed)
  const scale = Math.min(1, MAX_PAINTED_PX / Math.max(widthPx, heightPx))
  const width = Math.max(1, Math.round(widthPx * scale))
  const height = Math.max(1, Math.round(heightPx * scale))
  const pixels = await paint(subject.scene, {
    widthPx: width,
    heightPx: height,
    palette,
    random,
  })
  const raw = sharp(pixels, { raw: { width, height, channels: 3 } })
  const painted = scale < 1 ? raw.resize(widthPx, heightPx, { fit: 'fill' }) : raw
  // Cameras date by the second.
  const takenAt = Math.floor((newest - description.ageMs) / 1000) * 1000
  const bytes = await encodePicture(painted, description, takenAt)
  return { bytes, fileName, mediaType, takenAt, description }
}
