import type { ImageCategory, ImageOrigin } from '#contract/image.ts'
import { renderTimestamp } from '#server/core/clock.ts'
import type { Flag } from './tables.ts'

/** Stored as index: append only. */
export const categories: readonly ImageCategory[] = ['general', 'mask', 'control', 'user', 'other']

/** Stored as index: append only. */
export const origins: readonly ImageOrigin[] = ['internal', 'external']

export const codeOfCategory = (category: ImageCategory): number => categories.indexOf(category)
export const codeOfOrigin = (origin: ImageOrigin): number => origins.indexOf(origin)

export const flagOf = (value: boolean): Flag => (value ? 1 : 0)

export const renderNullable = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : renderTimestamp(milliseconds)

/** Returns the hexadecimal text of a stored hash. */
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** The API counts images of this category as "images" and all others as "assets". */
export const GENERAL = 0
