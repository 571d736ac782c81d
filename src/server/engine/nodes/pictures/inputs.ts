import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'

/** An image that may be left out. */
export const OptionalImage = (description: string) =>
  Type.Union([ImageField, Type.Null()], { default: null, description })

/** A side of a picture, in pixels. */
export const SidePx = (fallback: number) =>
  Type.Integer({ default: fallback, exclusiveMinimum: 0, description: 'In pixels' })

/** A distance in pixels that may be negative. */
export const OffsetPx = (description: string) => Type.Integer({ default: 0, description })
