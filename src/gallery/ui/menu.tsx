import { ContextMenu as BaseContextMenu } from '@base-ui/react/context-menu'
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Check, type LucideIcon } from 'lucide-react'
import {
  Fragment,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type TouchEvent,
  useRef,
  useState,
} from 'react'
import { useBackCloses } from '#gallery/ui/keys/back.ts'
import { keyNames } from '#gallery/ui/keys/key-names.ts'
import type { KeyBinding } from '#gallery/ui/keys/keys.ts'
import { useIsPhone } from './use-media.ts'

/** An action with its label, icon and shortcut. Menus, bars and shortcuts are created from the same commands. */
export interface Command {
  readonly id: string
  readonly label: string
  readonly icon: LucideIcon
  /** Commands of the same group are adjacent in a menu. */
  readonly group: string
  readonly keys?: string | readonly string[]
  /** Label in the list of shortcuts if it differs from `label`. */
  readonly keyLabel?: string
  /** The browser fires its own event for these keys, so no binding is needed. */
  readonly areKeysNative?: boolean
  readonly isDisabled?: boolean
  readonly isDanger?: boolean
  readonly run: () => void
}

/** Returns the key bindings of the commands with shortcuts. */
export const keysOfCommands = (commands: readonly Command[]): KeyBinding[] =>
  commands.flatMap(({ keys, keyLabel, label, areKeysNative, run }) =>
    keys === undefined || areKeysNative ? [] : [{ keys, label: keyLabel ?? label, run }],
  )

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  align?: 'start' | 'end'
  children: ReactNode
}

const popupClasses =
  'max-h-(--available-height) min-w-[11rem] max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-floating outline-none'

/** A landmark around the menu, because it is rendered outside the landmarks of the page. */
const landmark = { role: 'region', 'aria-label': 'Menu' } as const

const itemClasses =
  'flex min-h-8 cursor-default select-none items-center gap-2 rounded px-2 text-sm outline-none data-highlighted:bg-hover data-disabled:opacity-50 pointer-coarse:min-h-11'

/** A menu button. Arrow keys move the highlight, Enter chooses, Esc closes. */
export function Menu({ trigger, align = 'start', children }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  useBackCloses(useIsPhone() && isOpen, () => setOpen(false))
  return (
    <BaseMenu.Root open={isOpen} onOpenChange={setOpen}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal {...landmark}>
        <BaseMenu.Positioner className="z-50 outline-none" sideOffset={4} align={align}>
          <BaseMenu.Popup className={popupClasses}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

interface ContextMenuProps {
  /** The menu's name for screen readers. */
  label: string
  /** Determines the target. Returns the element at which a menu opened by key appears; `null`: the browser's menu. */
  onOpen: (event: MouseEvent, isByKey: boolean) => Element | null
  /** Opens the menu on a long press too. */
  opensByTouch?: boolean
  /** The area on which the menu opens. */
  area: ReactNode
  /** The menu items. Rendered only while the menu is open. */
  children: ReactNode
}

/**
 * A menu that opens on an area by right click, Shift+F10 or the menu key. Shift+right click opens the browser's own
 * menu. Closing the menu restores the focus.
 */
export function ContextMenu({
  label,
  onOpen,
  opensByTouch = false,
  area,
  children,
}: ContextMenuProps) {
  const focused = useRef<Element | null>(null)
  // Browsers report differently that a key caused a `contextmenu` event.
  const isLastInputKey = useRef(false)
  const [anchor, setAnchor] = useState<Element | null>(null)
  const [isOpen, setOpen] = useState(false)

  const prepare = (event: BaseEvent<MouseEvent>) => {
    const { nativeEvent, button, shiftKey } = event
    const isByKey = isLastInputKey.current || button === NO_BUTTON
    const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
    const isForBrowser = shiftKey && !isByKey
    const element = isForBrowser || (isTouch && !opensByTouch) ? null : onOpen(event, isByKey)
    if (element === null) {
      event.preventBaseUIHandler()
      // The library prevents the browser's menu on the document.
      event.stopPropagation()
      return
    }
    focused.current = document.activeElement
    setAnchor(isByKey ? element : null)
  }
  const ignoreTouch = (event: BaseEvent<TouchEvent>) => event.preventBaseUIHandler()

  return (
    <BaseContextMenu.Root open={isOpen} onOpenChange={setOpen}>
      <BaseContextMenu.Trigger
        className="contents"
        onContextMenu={prepare}
        onKeyDownCapture={() => {
          isLastInputKey.current = true
        }}
        onPointerDownCapture={() => {
          isLastInputKey.current = false
        }}
        {...(!opensByTouch && { onTouchStart: ignoreTouch })}
      >
        {area}
      </BaseContextMenu.Trigger>
      <BaseContextMenu.Portal {...landmark}>
        <BaseContextMenu.Positioner className="z-50 outline-none" anchor={anchor ?? undefined}>
          <BaseContextMenu.Popup
            aria-label={label}
            className={popupClasses}
            finalFocus={() => (focused.current instanceof HTMLElement ? focused.current : true)}
          >
            <BackClosesMenu isOpen={isOpen} onClose={() => setOpen(false)} />
            {children}
          </BaseContextMenu.Popup>
        </BaseContextMenu.Positioner>
      </BaseContextMenu.Portal>
    </BaseContextMenu.Root>
  )
}

/** Inside the menu, so that its effect runs after the selection bar's: Back closes the part that opened last. */
function BackClosesMenu({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  useBackCloses(useIsPhone() && isOpen, onClose)
  return null
}

/** Opens the context menu of the area around an element, next to the element. */
export function openContextMenu(element: EventTarget | null): void {
  const event = { bubbles: true, cancelable: true, button: NO_BUTTON }
  element?.dispatchEvent(new PointerEvent('contextmenu', event))
}

/** Value of `PointerEvent.button` if no button changed. */
const NO_BUTTON = -1

/** An event whose default handling by the library can be prevented. */
type BaseEvent<T> = T & { preventBaseUIHandler: () => void }

/** Renders commands as menu items with their shortcuts. Groups are separated by lines. */
export function CommandItems({ commands }: { commands: readonly Command[] }) {
  const groups = Map.groupBy(commands, ({ group }) => group)
  return [...groups].map(([group, members], index) => (
    <Fragment key={group}>
      {index > 0 && <MenuSeparator />}
      {members.map((command) => (
        <CommandItem key={command.id} command={command} />
      ))}
    </Fragment>
  ))
}

function CommandItem({ command }: { command: Command }) {
  const { label, icon: Icon, keys, isDisabled = false, isDanger = false, run } = command
  const shortcut = [keys ?? []].flat()[0]
  return (
    <BaseMenu.Item
      disabled={isDisabled}
      className={`${itemClasses} ${isDanger ? 'text-danger' : ''}`}
      onClick={run}
    >
      <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
      <span className="flex-1 truncate pr-4">{label}</span>
      {shortcut !== undefined && (
        <kbd aria-hidden className="font-sans text-muted text-xs pointer-coarse:hidden">
          {keyNames(shortcut).join('+')}
        </kbd>
      )}
    </BaseMenu.Item>
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
