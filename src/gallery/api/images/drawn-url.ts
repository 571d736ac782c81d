import type { ImageRecord } from '#contract/image.ts'
import { undrawableFormat } from '#contract/image-formats.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'

/** Longest side of the rendition shown for a file that browsers cannot draw. */
const DRAWN_SIZE_PX = 1536

/** Returns the URL of the file, or of the largest rendition that browsers can draw: for a video, of its poster. */
export const drawnUrl = ({ images }: GalleryApi['client'], image: ImageRecord): string =>
  image.video === null && undrawableFormat(image.media_type) === null
    ? images.fullUrl(image)
    : images.thumbnailUrl(image, DRAWN_SIZE_PX)
