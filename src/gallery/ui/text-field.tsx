import { type ComponentProps, useId } from 'react'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string
  /** Error message for the current value. */
  fault?: string | null
}

/** A required text input with its label above. */
export function TextField({ label, fault = null, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        required
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        className="h-9 w-full rounded border border-line bg-surface px-3 text-base aria-invalid:border-danger pointer-coarse:h-11"
        {...input}
      />
      {fault !== null && (
        <p id={`${id}-fault`} role="alert" className="text-danger text-sm">
          {fault}
        </p>
      )}
    </div>
  )
}

/** Classes of inputs and selects. On touch screens the font has 16 px, because phones zoom in on smaller ones. */
export const inputClasses =
  'h-9 w-full min-w-0 rounded border border-line bg-surface px-2 text-sm pointer-coarse:h-11 pointer-coarse:text-base'
