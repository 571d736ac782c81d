/** The ratio of a square image. Ratios are whole numbers, so that their sums are exact. */
export const RATIO_UNIT = 60

/** Wider images than 4:1 and higher ones than 1:4 count as these. */
export const MAX_RATIO = 4 * RATIO_UNIT
export const MIN_RATIO = RATIO_UNIT / 4

/** Number of images per sum. */
export const IMAGES_PER_RATIO_SUM = 200

/** Returns the ratio of width to height in {@link RATIO_UNIT}. */
export function ratioOf({ width, height }: { width: number; height: number }): number {
  if (width * RATIO_UNIT >= MAX_RATIO * height) return MAX_RATIO
  if (width * RATIO_UNIT <= MIN_RATIO * height) return MIN_RATIO
  return Math.floor((width * RATIO_UNIT + Math.floor(height / 2)) / height)
}

/** `day` of the group of starred images before all days. */
export const STARRED_GROUP = 'starred'
