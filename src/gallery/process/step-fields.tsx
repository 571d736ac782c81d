import { useId } from 'react'
import { type Upscaler, useUpscalers } from '#gallery/api/process/process-images.ts'
import { type Step, stepWithoutSize } from '#gallery/api/process/process-steps.ts'
import { inputClasses } from '#gallery/ui/text-field.tsx'
import { type Field, fieldValue, type NumberField, numberFault } from './step-field.ts'
import { kindOf } from './step-kinds.ts'

export function StepFields({ step, onChange }: { step: Step; onChange: (step: Step) => void }) {
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-2">
      {shownFields(step).map((field) => (
        <StepField
          key={field.name}
          field={field}
          value={fieldValue(step, field)}
          onChange={(value) => onChange({ ...step, [field.name]: value } as Step)}
        />
      ))}
    </div>
  )
}

interface StepFieldProps {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
}

function StepField({ field, value, onChange }: StepFieldProps) {
  const id = useId()
  if (field.type === 'switch') {
    return (
      <label className="col-span-2 flex min-h-8 items-center gap-2 text-sm pointer-coarse:min-h-11">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
        {field.label}
      </label>
    )
  }
  const isWide = field.type === 'model' || (field.type === 'number' && field.isSlider)
  return (
    <div className={isWide ? 'col-span-2' : ''}>
      <label htmlFor={id} className="mb-0.5 block text-muted text-xs">
        {field.label}
      </label>
      {field.type === 'number' && (
        <NumberInput id={id} field={field} value={value} onChange={onChange} />
      )}
      {field.type === 'choice' && (
        <select
          id={id}
          className={inputClasses}
          value={String(value)}
          onChange={({ target }) => onChange(target.value)}
        >
          {field.options.map(([option, label]) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
      )}
      {field.type === 'color' && (
        <input
          id={id}
          type="color"
          className="h-9 w-full rounded border border-line bg-surface p-1 pointer-coarse:h-11"
          value={String(value)}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {field.type === 'model' && (
        <UpscalerSelect id={id} modelKey={String(value)} onChoose={onChange} />
      )}
    </div>
  )
}

interface UpscalerSelectProps {
  id: string
  modelKey: string
  onChoose: (modelKey: string) => void
}

function UpscalerSelect({ id, modelKey, onChoose }: UpscalerSelectProps) {
  const upscalers = useUpscalers() ?? []
  const isThere = upscalers.some(({ key }) => key === modelKey)
  return (
    <select
      id={id}
      className={inputClasses}
      value={isThere ? modelKey : ''}
      onChange={({ target }) => onChoose(target.value)}
    >
      {!isThere && <option value="">Choose a model</option>}
      {upscalers.map(({ key, name }) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  )
}

interface NumberInputProps {
  id: string
  field: NumberField
  value: unknown
  /** NaN: the input is empty. */
  onChange: (value: number) => void
}

/** Hides the native spin buttons, which would overlap the unit. The arrow keys do the same. */
const withoutArrows = '[appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none'

/** An input for a whole number, optionally with a slider. Shows the valid range for an invalid number. */
function NumberInput({ id, field, value, onChange }: NumberInputProps) {
  const { min, max, unit, isSlider } = field
  const fault = numberFault(value, field)
  const shown = Number.isFinite(value) ? Number(value) : ''
  return (
    <>
      <div className="flex items-center gap-3">
        {isSlider && (
          <input
            type="range"
            aria-hidden
            tabIndex={-1}
            className="min-w-0 flex-1 accent-accent"
            min={min}
            max={max}
            value={shown === '' ? min : shown}
            onChange={({ target }) => onChange(target.valueAsNumber)}
          />
        )}
        <div className={`relative ${isSlider ? 'w-24' : 'w-full'}`}>
          <input
            id={id}
            type="number"
            inputMode="numeric"
            aria-invalid={fault !== null}
            aria-describedby={fault === null ? undefined : `${id}-fault`}
            className={`${inputClasses} ${withoutArrows} ${unit ? 'pr-7' : ''} ${fault === null ? '' : 'border-danger'} tabular-nums`}
            min={min}
            max={max}
            value={shown}
            onChange={({ target }) => onChange(target.valueAsNumber)}
          />
          {unit && (
            <span
              aria-hidden
              className="pointer-events-none absolute inset-y-0 right-2 flex items-center text-muted text-xs"
            >
              {unit}
            </span>
          )}
        </div>
      </div>
      {fault !== null && (
        <p id={`${id}-fault`} role="alert" className="mt-1 text-danger text-xs">
          {fault}
        </p>
      )}
    </>
  )
}

const shownFields = (step: Step): Field[] =>
  kindOf(step).fields.filter(({ isShown }) => isShown?.(step) ?? true)

/**
 * Returns the error of each step; null for none. Numbers out of range are reported at their fields.
 *
 * @param upscalers - undefined: not loaded yet, so the models are not checked.
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

export const hasRightNumbers = (step: Step): boolean =>
  shownFields(step).every(
    (field) => field.type !== 'number' || numberFault(fieldValue(step, field), field) === null,
  )
