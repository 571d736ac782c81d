import type { Step } from '#gallery/api/process/process-steps.ts'
import { formatCount } from '#gallery/ui/text/count.ts'

type FieldType = NumberField | ChoiceField | { readonly type: 'switch' | 'color' | 'model' }

/** A setting of a step, as shown in its form. `S` is the step type. */
export type FieldOf<S, Name = Exclude<keyof S, 'kind'>> = FieldType & {
  readonly name: Extract<Name, string>
  readonly label: string
  /** Absent: always shown. */
  readonly isShown?: (step: S) => boolean
}

export type Field = FieldOf<Step, string>

export interface NumberField {
  readonly type: 'number'
  readonly unit?: 'px' | '%'
  readonly min: number
  readonly max: number
  /** Adds a slider, for values that users find by trying. */
  readonly isSlider?: boolean
}

interface ChoiceField {
  readonly type: 'choice'
  readonly options: readonly (readonly [value: string, label: string])[]
}

/** Maximum side length, in pixels: larger images are too much for most servers. */
const MAX_SIDE_PX = 16_384

export const choice = <Name extends string>(
  name: Name,
  label: string,
  labels: Readonly<Record<string, string>>,
) => ({ type: 'choice', name, label, options: Object.entries(labels) }) as const

export const px = (label: string, min = 1) =>
  ({ type: 'number', label, unit: 'px', min, max: MAX_SIDE_PX }) as const
export const widthPx = { ...px('Width'), name: 'widthPx' } as const
export const heightPx = { ...px('Height'), name: 'heightPx' } as const
export const invert = { type: 'switch', name: 'isInverted', label: 'Invert' } as const

/** Returns the error of a number; null if it is valid. */
export function numberFault(value: unknown, { min, max }: NumberField): string | null {
  const isRight = Number.isInteger(value) && Number(value) >= min && Number(value) <= max
  return isRight ? null : `A whole number from ${formatCount(min)} to ${formatCount(max)}`
}

export function fieldValue(step: Step, { name }: Field): unknown {
  const values: Readonly<Record<string, unknown>> = step
  return values[name]
}
