import type { ImageCategory, ImageOrigin } from '#contract/image.ts'

/** Stored by position: append only. */
export const categories: readonly ImageCategory[] = ['general', 'mask', 'control', 'user', 'other']

/** Stored by position: append only. */
export const origins: readonly ImageOrigin[] = ['internal', 'external']

export const codeOfCategory = (category: ImageCategory): number => categories.indexOf(category)
export const codeOfOrigin = (origin: ImageOrigin): number => origins.indexOf(origin)

/** The category that the wire counts apart from the others, as "images" and "assets". */
export const GENERAL = 0
