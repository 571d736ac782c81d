import sharp, { type Raw } from 'sharp'
import type { ProgressImage } from '#contract/events.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { bandsOf, type Picture } from '#server/engine/pictures/picture.ts'

/** The longer side of a preview, in pixels. */
const PREVIEW_PX = 256

/** Encodes a preview of an unfinished picture: a small JPEG with the size of the original. */
export async function previewOf(picture: Picture, signal: AbortSignal): Promise<ProgressImage> {
  const { mode, width, height, data } = await toMode(picture, 'RGB', signal)
  const raw = { width, height, channels: bandsOf[mode] as Raw['channels'] }
  const jpeg = await sharp(data, { raw, limitInputPixels: false })
    .resize(PREVIEW_PX, PREVIEW_PX, { fit: 'inside', withoutEnlargement: true })
    .jpeg()
    .toBuffer()
  return { width, height, dataURL: `data:image/jpeg;base64,${jpeg.toString('base64')}` }
}
