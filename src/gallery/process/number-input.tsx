import { inputClasses } from '#gallery/ui/input-classes.ts'
import { type NumberField, numberFault } from './step-field.ts'

interface NumberInputProps {
  id: string
  field: NumberField
  value: unknown
  /** NaN: there is no number in it. */
  onChange: (value: number) => void
}

/** They would lie under the unit; the arrow keys do the same. */
const withoutArrows = '[appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none'

/** A whole number, with a slider where it is found by trying. Says which numbers it takes when it has another. */
export function NumberInput({ id, field, value, onChange }: NumberInputProps) {
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
