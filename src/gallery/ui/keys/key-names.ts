export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

const names: Readonly<Record<string, string>> = {
  $mod: isMac ? '⌘' : 'Ctrl',
  Control: 'Ctrl',
  Meta: isMac ? '⌘' : 'Meta',
  Shift: isMac ? '⇧' : 'Shift',
  Alt: isMac ? '⌥' : 'Alt',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  Delete: 'Del',
  PageUp: 'Page up',
  PageDown: 'Page down',
}

/** Returns the names of the keys to press: `['Ctrl', 'Shift', 'Z']` for `$mod+Shift+z`. */
export function keyNames(keys: string): string[] {
  // Keyboard layouts differ in how to type a question mark, so Shift is not shown.
  if (keys === 'Shift+?') return ['?']
  return partsOf(keys).map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
}

/** Splits keys at the plus signs. A plus at the end is the key itself. */
export const partsOf = (keys: string): string[] => keys.split(/\+(?!$)/)

/** Returns keys as the value of `aria-keyshortcuts`. */
export const ariaKeys = (keys: string): string =>
  keys.replace('$mod', isMac ? 'Meta' : 'Control').replace(/\+$/, 'Plus')
