import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { IconCommand } from '#gallery/ui/commands/command.ts'
import { useKeyOf } from '#gallery/ui/commands/registry.ts'
import { ariaKeys } from '#gallery/ui/keys/key-names.ts'
import { WithTooltip } from '#gallery/ui/popups/tooltip.tsx'

type ButtonProps = ComponentProps<'button'> & { tone?: 'plain' | 'primary' | 'danger' | 'quiet' }

const tones = {
  plain: 'border border-line bg-raised hover:bg-hover text-ink',
  primary: 'border border-transparent bg-accent text-accent-ink hover:opacity-90',
  danger: 'border border-transparent bg-danger text-danger-ink hover:opacity-90',
  quiet: 'border border-transparent bg-transparent hover:bg-hover text-ink',
}

export function Button({ tone = 'plain', className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`inline-flex h-9 shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded px-3 font-medium text-sm transition-colors disabled:opacity-50 pointer-coarse:h-11 ${tones[tone]} ${className}`}
      {...rest}
    />
  )
}

type FoldingButtonProps = Omit<ComponentProps<'button'>, 'children' | 'title'> & {
  /** The accessible name and the tooltip. */
  label: string
  icon: LucideIcon
  /** The visible text, which a narrow header hides. */
  text: string
}

/** A button of the header, with only its icon and a tooltip if there is little room. */
export function FoldingButton({ label, icon: Icon, text, ...rest }: FoldingButtonProps) {
  return (
    <WithTooltip label={label}>
      <Button
        aria-label={label}
        tone="quiet"
        className="min-w-9 @max-5xl:px-0 pointer-coarse:min-w-11"
        {...rest}
      >
        <Icon aria-hidden size={16} strokeWidth={1.75} />
        <span className="hidden @5xl:inline">{text}</span>
      </Button>
    </WithTooltip>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'title'> & {
  /** The accessible name and the tooltip. */
  label: string
  icon: LucideIcon
  /** The command that the button runs. The tooltip shows its key. */
  commandId?: string
  /** Draws the icon filled, such as the star of a starred image. */
  filled?: boolean
}

/** A button with only an icon and a tooltip: 32 px, or 44 px on touch screens. */
export function IconButton({
  label,
  icon: Icon,
  commandId = '',
  filled = false,
  className = '',
  ...rest
}: IconButtonProps) {
  const keys = useKeyOf(commandId)
  return (
    <WithTooltip label={label} keys={keys}>
      <button
        type="button"
        aria-label={label}
        aria-keyshortcuts={keys && ariaKeys(keys)}
        className={`inline-flex size-8 shrink-0 items-center justify-center rounded text-muted transition-colors hover:bg-hover hover:text-ink disabled:opacity-40 pointer-coarse:size-11 ${className}`}
        {...rest}
      >
        <Icon aria-hidden size={18} strokeWidth={1.75} fill={filled ? 'currentColor' : 'none'} />
      </button>
    </WithTooltip>
  )
}

type CommandButtonProps = Omit<ComponentProps<typeof IconButton>, 'label' | 'icon' | 'onClick'> & {
  command: IconCommand
}

/** The button of a command. */
export const CommandButton = ({ command, ...rest }: CommandButtonProps) => (
  <IconButton
    label={command.label}
    icon={command.icon}
    commandId={command.id}
    onClick={() => command.run()}
    {...rest}
  />
)
