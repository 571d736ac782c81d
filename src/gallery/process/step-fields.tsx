import { useId } from 'react'
import type { Step } from '#gallery/api/process-steps.ts'
import { inputClasses } from '#gallery/ui/input-classes.ts'
import { NumberInput } from './number-input.tsx'
import { shownFields } from './step-faults.ts'
import { type Field, fieldValue } from './step-field.ts'
import { UpscalerSelect } from './upscaler-select.tsx'

interface StepFieldsProps {
  step: Step
  onChange: (step: Step) => void
}

/** What a step is told. */
export function StepFields({ step, onChange }: StepFieldsProps) {
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
