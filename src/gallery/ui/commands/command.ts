import type { LucideIcon } from 'lucide-react'

/** An action with its name and its keys. Menus, bars, the palette, the help and the keys are made from commands. */
export interface Command {
  /** Unique on the page. Changed keys are stored under it, so it must not change. */
  readonly id: string
  readonly label: string
  readonly icon?: LucideIcon
  /** Commands of the same group are adjacent in a menu. */
  readonly group?: string
  /**
   * The default keys in the notation of tinykeys: `m`, `$mod+z`, `Shift+ArrowRight`. An array lists alternatives.
   * Users can change them, so show `useKeyOf` instead.
   */
  readonly keys?: string | readonly string[]
  /** Name in the palette and the list of keys if it differs from `label`. */
  readonly name?: string
  /** The browser or the element with the focus handles these keys, so they need no binding and cannot be changed. */
  readonly areKeysNative?: boolean
  /** In a menu, the commands with the same submenu are in a menu of their own, which has this name and icon. */
  readonly submenu?: { readonly label: string; readonly icon: LucideIcon } | undefined
  /** True if the command sets the value that is set already. */
  readonly isCurrent?: boolean
  /** Makes sense only as a key, for example because it moves the focus. Not in the palette. */
  readonly isKeyOnly?: boolean
  /** Why the command cannot run now. Absent: it can. */
  readonly disabledReason?: string | undefined
  readonly isDanger?: boolean
  /** The object of the command, shown next to its name in the palette: `Castles`. */
  readonly about?: string
  /** The event is absent if a menu or the palette runs the command. */
  readonly run: (event?: KeyboardEvent) => void
}

export const nameOf = ({ name, label }: Pick<Command, 'name' | 'label'>): string =>
  name ?? label.replace(/…$/, '')

export type IconCommand = Command & { readonly icon: LucideIcon }

export const hasIcon = (command: Command): command is IconCommand => command.icon !== undefined
