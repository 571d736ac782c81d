import { isMac, keyNames, partsOf } from './key-names.ts'

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Process']

/**
 * Returns the pressed keys in the notation of tinykeys; null for a modifier alone. `$mod` is ⌘ on a Mac, Ctrl elsewhere.
 */
export function keysOfPress(press: Press): string | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press
  if (MODIFIERS.includes(key)) return null
  const letter = letterOf(press)
  // Whether a symbol needs Shift depends on the keyboard layout.
  const isSymbol = letter === null && key.length === 1 && key !== ' '
  return [
    ...((isMac ? metaKey : ctrlKey) ? ['$mod'] : []),
    ...(isMac && ctrlKey ? ['Control'] : []),
    ...(!isMac && metaKey ? ['Meta'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey && !isSymbol ? ['Shift'] : []),
    letter ?? (key === ' ' ? 'Space' : key),
  ].join('+')
}

/** Returns the Latin letter, also on layouts with another script, and for ⌥ with a letter on a Mac. */
function letterOf({ key, code, altKey }: Press): string | null {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  const isOther = key.length === 1 && (altKey || /[^\p{ASCII}]/u.test(key))
  return isOther && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : null
}

/** Returns keys in a form in which the same keys are equal. */
export function canonicalKeys(keys: string): string {
  const parts = partsOf(keys)
  const last = parts.at(-1) ?? ''
  const isSymbol = last.length === 1 && !/[a-z]/i.test(last)
  const modifiers = parts.slice(0, -1).filter((part) => !isSymbol || part !== 'Shift')
  return [...modifiers.sort(), last.length === 1 ? last.toLowerCase() : last].join('+')
}

/** Keys that browsers and operating systems keep for themselves, or that people need while they use a page. */
const RESERVED: Readonly<Record<string, string>> = {
  '$mod+t': 'to open a tab',
  '$mod+Shift+t': 'to reopen a tab',
  '$mod+n': 'to open a window',
  '$mod+Shift+n': 'to open a private window',
  '$mod+Shift+p': 'to open a private window',
  '$mod+w': 'to close the tab',
  '$mod+Shift+w': 'to close the window',
  '$mod+q': 'to quit',
  '$mod+Shift+q': 'to quit',
  '$mod+r': 'to reload',
  '$mod+Shift+r': 'to reload',
  F5: 'to reload',
  '$mod+l': 'to edit the address',
  F6: 'to edit the address',
  '$mod+Tab': 'to switch tabs',
  '$mod+Shift+Tab': 'to switch tabs',
  '$mod+PageUp': 'to switch tabs',
  '$mod+PageDown': 'to switch tabs',
  'Alt+ArrowLeft': 'to go back',
  'Alt+ArrowRight': 'to go forward',
  'Alt+F4': 'to close the window',
  'Alt+Tab': 'to switch windows',
  F11: 'for full screen',
  F12: 'for its developer tools',
  '$mod+Shift+i': 'for its developer tools',
  '$mod+Shift+j': 'for its developer tools',
  '$mod+Shift+c': 'for its developer tools',
  '$mod++': 'to zoom',
  '$mod+=': 'to zoom',
  '$mod+-': 'to zoom',
  '$mod+0': 'to zoom',
  '$mod+f': 'to search the page',
  '$mod+c': 'to copy',
  '$mod+x': 'to cut',
  '$mod+v': 'to paste',
  Tab: 'to move the focus',
  'Shift+Tab': 'to move the focus',
  F10: 'to open its menu',
  'Shift+F10': 'to open a menu',
  ContextMenu: 'to open a menu',
}
const reserved = new Map(
  Object.entries(RESERVED).map(([keys, use]) => [canonicalKeys(keys), use] as const),
)

/** Returns why a command cannot have these keys; null if it can. */
export function reservedReason(keys: string): string | null {
  const use = reserved.get(canonicalKeys(keys))
  return use === undefined ? null : `The browser uses ${keyNames(keys).join('+')} ${use}.`
}
