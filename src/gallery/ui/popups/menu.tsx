import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Check, ChevronRight, type LucideIcon } from 'lucide-react'
import { Fragment, type ReactElement, type ReactNode, useState } from 'react'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useBackCloses } from '#gallery/ui/keys/back.ts'
import { ariaKeys, keyNames } from '#gallery/ui/keys/key-names.ts'
import { useKeyHint } from '#gallery/ui/keys/key-settings.ts'
import { useIsPhone } from '#gallery/ui/use-media.ts'

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  align?: 'start' | 'end'
  children: ReactNode
}

/** On a phone the menu is a sheet at the bottom of the screen. */
export const positionerClasses =
  'z-50 outline-none sheet:fixed! sheet:inset-x-0! sheet:top-auto! sheet:bottom-0! sheet:transform-none!'
export const popupClasses =
  'max-h-(--available-height) min-w-[11rem] max-w-[calc(100vw-1rem)] overflow-y-auto overscroll-contain rounded-lg border border-line bg-raised p-1 shadow-floating outline-none sheet:max-h-[80dvh] sheet:max-w-none sheet:rounded-b-none sheet:border-x-0 sheet:border-b-0 sheet:px-2 sheet:pt-2 sheet:pb-[max(0.5rem,env(safe-area-inset-bottom))] sheet:transition-transform sheet:duration-200 sheet:data-ending-style:translate-y-full sheet:data-starting-style:translate-y-full motion-reduce:transition-none'

/** Dims the page behind a sheet. */
export const MenuBackdrop = () => (
  <BaseMenu.Backdrop className="fixed inset-0 z-50 hidden bg-scrim sheet:block" />
)

/** A landmark around the menu, because it is rendered outside the landmarks of the page. */
export const landmark = { role: 'region', 'aria-label': 'Menu' } as const

const itemClasses =
  'flex min-h-8 cursor-default select-none items-center gap-2 rounded px-2 text-sm outline-none data-highlighted:bg-hover data-disabled:opacity-50 pointer-coarse:min-h-11'

/** A menu button. Arrow keys move the highlight, Enter chooses, Esc closes. */
export function Menu({ trigger, align = 'start', children }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  useBackCloses(useIsPhone() && isOpen, () => setOpen(false))
  return (
    <BaseMenu.Root open={isOpen} onOpenChange={setOpen}>
      <BaseMenu.Trigger render={trigger} />
      <MenuPopup align={align}>{children}</MenuPopup>
    </BaseMenu.Root>
  )
}

const MenuPopup = ({
  align,
  children,
}: Pick<MenuProps, 'children'> & { align: 'start' | 'end' }) => (
  <BaseMenu.Portal {...landmark}>
    <MenuBackdrop />
    <BaseMenu.Positioner className={positionerClasses} sideOffset={4} align={align}>
      <BaseMenu.Popup className={popupClasses}>{children}</BaseMenu.Popup>
    </BaseMenu.Positioner>
  </BaseMenu.Portal>
)

/** Connects a menu with its buttons, one in each row of a list. A menu per row would make long lists slow. */
export const createSharedMenu = BaseMenu.createHandle

type SharedMenuHandle<T> = ReturnType<typeof createSharedMenu<T>>

interface SharedMenuButtonProps<T> extends Pick<MenuProps, 'trigger'> {
  menu: SharedMenuHandle<T>
  /** The row on which the menu acts. */
  row: T
}

/** Makes a button open a shared menu. */
export const SharedMenuButton = <T,>({ menu, row, trigger }: SharedMenuButtonProps<T>) => (
  <BaseMenu.Trigger handle={menu} payload={row} render={trigger} />
)

interface SharedMenuProps<T> {
  menu: SharedMenuHandle<T>
  /** Returns the items of a row. */
  children: (row: T) => ReactNode
}

/** The menu of all {@link SharedMenuButton}s with the same handle. */
export function SharedMenu<T>({ menu, children }: SharedMenuProps<T>) {
  const [isOpen, setOpen] = useState(false)
  useBackCloses(useIsPhone() && isOpen, () => menu.close())
  return (
    <BaseMenu.Root handle={menu} onOpenChange={setOpen}>
      {({ payload }) => (
        <MenuPopup align="start">{payload !== undefined && children(payload)}</MenuPopup>
      )}
    </BaseMenu.Root>
  )
}

/** Renders commands as menu items with their keys. Lines separate groups. A submenu is in the group of its first command. */
export function CommandItems({ commands }: { commands: readonly Command[] }) {
  const entries = Map.groupBy(commands, ({ submenu, id }) => submenu?.label ?? id)
  const groups = Map.groupBy(entries.values(), ([first]) => first?.group)
  return [...groups].map(([group, members], index) => (
    <Fragment key={group}>
      {index > 0 && <MenuSeparator />}
      {members.map((same) => (
        <CommandOrSubmenu key={same[0]?.id} commands={same} />
      ))}
    </Fragment>
  ))
}

/** One command, or the commands of a submenu. */
function CommandOrSubmenu({ commands }: { commands: readonly Command[] }) {
  const submenu = commands[0]?.submenu
  if (submenu === undefined)
    return commands.map((command) => <CommandItem key={command.id} command={command} />)
  return (
    <Submenu {...submenu}>
      <CommandItems commands={commands.map((command) => ({ ...command, submenu: undefined }))} />
    </Submenu>
  )
}

function CommandItem({ command }: { command: Command }) {
  const { label, about, icon: Icon, disabledReason, isDanger = false, isCurrent, run } = command
  const key = useKeyHint(command)
  return (
    <BaseMenu.Item
      disabled={disabledReason !== undefined}
      aria-description={disabledReason ?? (isCurrent ? 'current' : about)}
      className={`${itemClasses} ${isDanger ? 'text-danger' : ''}`}
      {...(key !== undefined && { 'aria-keyshortcuts': ariaKeys(key) })}
      onClick={() => run()}
    >
      {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />}
      <span className="flex-1 truncate pr-4">{label}</span>
      {isCurrent && <Check aria-hidden size={16} className="shrink-0" />}
      {(disabledReason ?? about) !== undefined && (
        <span aria-hidden className="text-muted text-xs">
          {disabledReason ?? about}
        </span>
      )}
      {key !== undefined && disabledReason === undefined && (
        <kbd aria-hidden className="font-sans text-muted text-xs pointer-coarse:hidden">
          {keyNames(key).join('+')}
        </kbd>
      )}
    </BaseMenu.Item>
  )
}

interface SubmenuProps {
  label: string
  icon: LucideIcon
  children: ReactNode
}

/** An item that opens another menu next to it. */
function Submenu({ label, icon: Icon, children }: SubmenuProps) {
  return (
    <BaseMenu.SubmenuRoot>
      <BaseMenu.SubmenuTrigger className={`${itemClasses} data-popup-open:bg-hover`}>
        <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
        <span className="flex-1 truncate pr-4">{label}</span>
        <ChevronRight aria-hidden size={14} className="text-muted" />
      </BaseMenu.SubmenuTrigger>
      <BaseMenu.Portal {...landmark}>
        <BaseMenu.Positioner className={positionerClasses} alignOffset={-4} sideOffset={2}>
          <BaseMenu.Popup className={popupClasses}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.SubmenuRoot>
  )
}

interface MenuItemProps {
  icon: LucideIcon
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon: Icon, onSelect, children }: MenuItemProps) {
  return (
    <BaseMenu.Item className={itemClasses} onClick={onSelect}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      {children}
    </BaseMenu.Item>
  )
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className="max-w-[18rem] truncate px-2 pt-1.5 pb-1 font-medium text-muted text-xs">
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

export function MenuSeparator() {
  return <BaseMenu.Separator className="mx-2 my-1 h-px bg-line" />
}
