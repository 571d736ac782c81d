import type { ProgressImage } from '#contract/events.ts'
import { sharpOf } from '#server/engine/pictures/encode-png.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import type { Picture } from '#server/engine/pictures/picture.ts'

/** The longer side of a preview, in pixels. */
const PREVIEW_PX = 256

/** Encodes a preview of an unfinished picture: a small JPEG with the size of the original. */
export async function previewOf(picture: Picture): Promise<ProgressImage> {
  const { width, height } = picture
  const jpeg = await sharpOf(await toMode(picture, 'RGB'))
    .resize(PREVIEW_PX, PREVIEW_PX, { fit: 'inside', withoutEnlargement: true })
    .jpeg()
    .toBuffer()
  return { width, height, dataURL: `data:image/jpeg;base64,${jpeg.toString('base64')}` }
}
