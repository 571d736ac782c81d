import { STRIP_FRAME_PX, THUMBNAIL_SIZES } from '#contract/limits.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'

/** Sizes of stored thumbnails. The last one is the strips of videos. */
export const storedSizes: readonly number[] = [...THUMBNAIL_SIZES, STRIP_FRAME_PX]

/** Returns the sizes that an item can have. */
export const storedSizesOf = (name: string): readonly number[] =>
  isVideoName(name) ? storedSizes : THUMBNAIL_SIZES
