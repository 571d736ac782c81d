import type { ImageCategory, ImageOrigin } from '#contract/image.ts'
import { renderTimestamp } from '#server/core/clock.ts'
import type { Flag, Kind } from './tables.ts'

/** Stored as index: append only. */
export const categories: readonly ImageCategory[] = ['general', 'mask', 'control', 'user', 'other']

/** Stored as index: append only. */
export const origins: readonly ImageOrigin[] = ['internal', 'external']

export const codeOfCategory = (category: ImageCategory): number => categories.indexOf(category)
export const codeOfOrigin = (origin: ImageOrigin): number => origins.indexOf(origin)

/** Every kind of item, for queries that must read an index in which the kind comes first. */
export const ALL_KINDS: readonly Kind[] = [0, 1, 2, 3]

/** Kinds of images. */
export const IMAGE_KINDS: readonly Kind[] = [0, 1]

/** Kinds of videos. */
export const VIDEO_KINDS: readonly Kind[] = [2, 3]

export const kindOf = (isVideo: boolean, isIntermediate: boolean): Kind =>
  isVideo ? (isIntermediate ? 3 : 2) : isIntermediate ? 1 : 0

export const isVideoKind = (kind: Kind): boolean => kind >= 2
export const isIntermediateKind = (kind: Kind): boolean => kind % 2 === 1

export const flagOf = (value: boolean): Flag => (value ? 1 : 0)

export const renderNullable = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : renderTimestamp(milliseconds)

/** Returns the hexadecimal text of a stored hash. */
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** The API counts images of this category as "images" and all others as "assets". */
export const GENERAL = 0
