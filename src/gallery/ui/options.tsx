import { type ReactNode, useId } from 'react'

interface ChoiceProps<T extends string> {
  label: string
  value: T
  /** `refusal`: the reason why an option cannot be chosen. */
  options: readonly { value: T; label: string; refusal?: string }[]
  onChoose: (value: T) => void
}

/** A few options, of which one is chosen. */
export function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  const name = useId()
  return (
    <fieldset>
      <legend className="pb-1 font-medium text-muted text-xs">{label}</legend>
      <div
        className={`grid gap-1 rounded bg-sunken p-1 ${options.length === 3 ? 'grid-cols-3' : 'grid-cols-2'}`}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className="relative flex min-h-8 cursor-pointer items-center justify-center rounded-sm px-2 text-center text-muted text-sm hover:text-ink has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-checked:shadow-raised has-focus-visible:outline-2 has-focus-visible:outline-accent has-disabled:cursor-not-allowed has-disabled:opacity-50 has-disabled:hover:text-muted pointer-coarse:min-h-11"
            title={option.refusal}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.refusal !== undefined}
              aria-description={option.refusal}
              onChange={() => onChoose(option.value)}
              className="absolute inset-0 cursor-[inherit] opacity-0"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface SwitchProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}

/** An option that is on or off. */
export function Switch({ isOn, onChange, children }: SwitchProps) {
  return (
    <label className="flex min-h-8 cursor-pointer items-center justify-between gap-4 text-sm pointer-coarse:min-h-11">
      {children}
      <span className="relative flex h-5 w-9 shrink-0 items-center rounded-full bg-muted transition-colors has-checked:bg-accent has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          onChange={({ target }) => onChange(target.checked)}
          className="peer absolute inset-0 cursor-pointer opacity-0"
        />
        <span
          aria-hidden
          className="pointer-events-none ml-0.5 size-4 rounded-full bg-raised transition-transform peer-checked:translate-x-4"
        />
      </span>
    </label>
  )
}
