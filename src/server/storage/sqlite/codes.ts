import type { ImageCategory, ImageOrigin } from '#contract/image.ts'

/** Stored as index: append only. */
export const categories: readonly ImageCategory[] = ['general', 'mask', 'control', 'user', 'other']

/** Stored as index: append only. */
export const origins: readonly ImageOrigin[] = ['internal', 'external']

export const codeOfCategory = (category: ImageCategory): number => categories.indexOf(category)
export const codeOfOrigin = (origin: ImageOrigin): number => origins.indexOf(origin)

/** The API counts images of this category as "images" and all others as "assets". */
export const GENERAL = 0
