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

/** `$mod+Shift+z` as the keys to press: `['Ctrl', 'Shift', 'Z']`. */
export function keyNames(keys: string): string[] {
  // People know how to type a question mark on their keyboard.
  if (keys === 'Shift+?') return ['?']
  // A plus at the end is the key itself.
  return keys
    .split(/\+(?!$)/)
    .map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
}
