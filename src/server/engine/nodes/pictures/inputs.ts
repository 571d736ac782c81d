import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'

export const OptionalImage = (description: string) =>
  Type.Union([ImageField, Type.Null()], { default: null, description })

export const SidePx = (fallback: number) =>
  Type.Integer({ default: fallback, exclusiveMinimum: 0, description: 'In pixels' })

/** A level from 0 to 255, or a change of it. */
export const Level = (fallback: number, description: string) =>
  Type.Integer({ default: fallback, minimum: 0, maximum: 255, description })

/** A distance in pixels, which may be negative. */
export const OffsetPx = (description: string) => Type.Integer({ default: 0, description })
