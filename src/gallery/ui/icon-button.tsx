import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** What it does: its name for people who cannot see the icon, and its tooltip. */
  label: string
  icon: LucideIcon
  /** Drawn filled, such as the star of a starred image. */
  filled?: boolean
}

/** A button that is only an icon: 32 px, 44 px under a finger. */
export function IconButton({
  label,
  icon: Icon,
  filled = false,
  className = '',
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded text-muted transition-colors hover:bg-hover hover:text-ink disabled:opacity-40 pointer-coarse:size-11 ${className}`}
      {...rest}
    >
      <Icon aria-hidden size={18} strokeWidth={1.75} fill={filled ? 'currentColor' : 'none'} />
    </button>
  )
}
