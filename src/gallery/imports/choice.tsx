import { type ComponentProps, useId } from 'react'

type ChoiceProps = Omit<ComponentProps<'input'>, 'children'> & {
  type: 'radio' | 'checkbox'
  label: string
  /** What follows from it. */
  hint?: string
}

/** Something to choose, with its words beside it. */
export function Choice({ label, hint, ...input }: ChoiceProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-2 py-1 pointer-coarse:py-2.5">
      <input
        id={id}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        {...input}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block text-sm">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-muted text-xs">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
