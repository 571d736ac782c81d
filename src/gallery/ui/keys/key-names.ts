const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

const names: Readonly<Record<string, string>> = {
  $mod: isMac ? '⌘' : 'Ctrl',
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
  // A plus at the end is the key itself.
  return keys
    .split(/\+(?!$)/)
    .map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
}
