import type { Step } from '#gallery/api/process/process-steps.ts'
import { formatCount } from '#gallery/ui/text/count.ts'

type FieldType = NumberField | ChoiceField | SwitchField | ColorField | ModelField

/** One thing that a step is told, as a person sets it. `S` is the step. */
export type FieldOf<S> = FieldType & {
  readonly name: Extract<Exclude<keyof S, 'kind'>, string>
  readonly label: string
  /** Absent: always. */
  readonly isShown?: (step: S) => boolean
}

/** The same of any step. */
export type Field = FieldType & {
  readonly name: string
  readonly label: string
  readonly isShown?: (step: Step) => boolean
}

export interface NumberField {
  readonly type: 'number'
  readonly unit?: 'px' | '%'
  readonly min: number
  readonly max: number
  /** It is found by trying: a slider stands beside it. */
  readonly isSlider?: boolean
}

export interface ChoiceField {
  readonly type: 'choice'
  readonly options: readonly (readonly [value: string, label: string])[]
}

interface SwitchField {
  readonly type: 'switch'
}

interface ColorField {
  readonly type: 'color'
}

interface ModelField {
  readonly type: 'model'
}

/** Larger images are too much for most servers. */
const MAX_SIDE_PX = 16_384

/** A number of pixels. */
export const px = (label: string, min = 1) =>
  ({ type: 'number', label, unit: 'px', min, max: MAX_SIDE_PX }) as const
export const widthPx = { ...px('Width'), name: 'widthPx' } as const
export const heightPx = { ...px('Height'), name: 'heightPx' } as const
export const invert = { type: 'switch', name: 'isInverted', label: 'Invert' } as const

/** What is wrong with a number; null: nothing. */
export function numberFault(value: unknown, { min, max }: NumberField): string | null {
  const isRight = Number.isInteger(value) && Number(value) >= min && Number(value) <= max
  return isRight ? null : `A whole number from ${formatCount(min)} to ${formatCount(max)}`
}

/** What a field of a step says. */
export function fieldValue(step: Step, { name }: Field): unknown {
  const values: Readonly<Record<string, unknown>> = step
  return values[name]
}
