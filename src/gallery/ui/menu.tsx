import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Check, type LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  align?: 'start' | 'center' | 'end'
  onOpenChange?: (isOpen: boolean) => void
  children: ReactNode
}

const itemClasses =
  'flex min-h-9 cursor-default select-none items-center gap-2 rounded px-2 text-sm outline-none data-highlighted:bg-hover data-disabled:opacity-50 pointer-coarse:min-h-11'

/** A button's list of actions. Arrow keys move, Enter chooses, Esc closes. */
export function Menu({ trigger, align = 'start', onOpenChange, children }: MenuProps) {
  return (
    <BaseMenu.Root {...(onOpenChange && { onOpenChange })}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner className="z-50 outline-none" sideOffset={4} align={align}>
          <BaseMenu.Popup className="min-w-[11rem] rounded-lg border border-line bg-raised p-1 shadow-floating outline-none">
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

interface MenuItemProps {
  icon?: LucideIcon
  tone?: 'plain' | 'danger'
  onSelect: () => void
  children: ReactNode
}

/** One action of a menu. */
export function MenuItem({ icon: Icon, tone = 'plain', onSelect, children }: MenuItemProps) {
  return (
    <BaseMenu.Item
      className={`${itemClasses} ${tone === 'danger' ? 'text-danger' : ''}`}
      onClick={onSelect}
    >
      {Icon !== undefined && <Icon aria-hidden size={16} strokeWidth={1.75} />}
      {children}
    </BaseMenu.Item>
  )
}

/** Says what the list is about. */
export function MenuHeading({ children }: { children: ReactNode }) {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className="max-w-[16rem] truncate px-2 pt-1.5 pb-1 font-medium text-muted text-xs">
        {children}
      </BaseMenu.GroupLabel>
    </BaseMenu.Group>
  )
}

interface MenuChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChoose: (value: T) => void
}

/** One of several, the chosen one ticked. */
export function MenuChoice<T extends string>({
  label,
  value,
  options,
  onChoose,
}: MenuChoiceProps<T>) {
  return (
    <BaseMenu.RadioGroup value={value} onValueChange={onChoose}>
      <BaseMenu.GroupLabel className="px-2 pt-1.5 pb-1 font-medium text-muted text-xs">
        {label}
      </BaseMenu.GroupLabel>
      {options.map((option) => (
        <BaseMenu.RadioItem
          key={option.value}
          value={option.value}
          closeOnClick
          className={itemClasses}
        >
          <span className="flex-1">{option.label}</span>
          <BaseMenu.RadioItemIndicator>
            <Check aria-hidden size={16} />
          </BaseMenu.RadioItemIndicator>
        </BaseMenu.RadioItem>
      ))}
    </BaseMenu.RadioGroup>
  )
}

interface MenuSwitchProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}

/** On or off, ticked where on. */
export function MenuSwitch({ isOn, onChange, children }: MenuSwitchProps) {
  return (
    <BaseMenu.CheckboxItem
      checked={isOn}
      onCheckedChange={onChange}
      closeOnClick
      className={itemClasses}
    >
      <span className="flex-1">{children}</span>
      <BaseMenu.CheckboxItemIndicator>
        <Check aria-hidden size={16} />
      </BaseMenu.CheckboxItemIndicator>
    </BaseMenu.CheckboxItem>
  )
}

/** A line between two groups of a menu. */
export function MenuSeparator() {
  return <BaseMenu.Separator className="mx-2 my-1 h-px bg-line" />
}
