import type { ComponentProps } from 'react'

type ButtonProps = ComponentProps<'button'> & { tone?: 'plain' | 'primary' | 'danger' | 'quiet' }

const tones = {
  plain: 'border border-line bg-raised hover:bg-hover text-ink',
  primary: 'border border-transparent bg-accent text-accent-ink hover:opacity-90',
  danger: 'border border-transparent bg-danger text-danger-ink hover:opacity-90',
  quiet: 'border border-transparent bg-transparent hover:bg-hover text-ink',
}

/** A button with words. */
export function Button({ tone = 'plain', className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`inline-flex h-9 shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded px-3 font-medium text-sm transition-colors disabled:opacity-50 pointer-coarse:h-11 ${tones[tone]} ${className}`}
      {...rest}
    />
  )
}
