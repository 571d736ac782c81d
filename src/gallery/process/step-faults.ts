import type { Upscaler } from '#gallery/api/process/process-models.ts'
import { type Step, stepWithoutSize } from '#gallery/api/process/process-steps.ts'
import { type Field, fieldValue, numberFault } from './step-field.ts'
import { kindOf } from './step-kinds.ts'

/** The fields of a step that are shown as it stands. */
export const shownFields = (step: Step): Field[] =>
  kindOf(step).fields.filter(({ isShown }) => isShown?.(step) ?? true)

/**
 * What is wrong with a chain, for each step; null: nothing. Sizes out of bounds are told of at their fields.
 *
 * @param upscalers - undefined: they are not known yet, and nothing is said of them.
 */
export function chainFaults(
  steps: readonly Step[],
  upscalers: readonly Upscaler[] | undefined,
): (string | null)[] {
  const withoutSize = stepWithoutSize(steps)
  return steps.map((step, index) => {
    if (index === withoutSize)
      return 'The size is unknown after an upscale. Move this step before it.'
    if (step.kind === 'upscale' && upscalers?.every(({ key }) => key !== step.modelKey)) {
      return 'The server no longer has this model. Choose another one or remove this step.'
    }
    return null
  })
}

/** Whether all numbers of a step are within their bounds. */
export const hasRightNumbers = (step: Step): boolean =>
  shownFields(step).every(
    (field) => field.type !== 'number' || numberFault(fieldValue(step, field), field) === null,
  )
