import { describe, expect, test } from 'vitest'
import { canonicalKeys, keysOfPress, reservedReason } from './key-press.ts'

const press = (key: string, code: string, held: string[] = []) =>
  keysOfPress({
    key,
    code,
    ctrlKey: held.includes('ctrl'),
    metaKey: held.includes('meta'),
    altKey: held.includes('alt'),
    shiftKey: held.includes('shift'),
  })

describe('keysOfPress', () => {
  test.each<[string | null, string, string, string[]]>([
    ['m', 'm', 'KeyM', []],
    ['Shift+m', 'M', 'KeyM', ['shift']],
    ['$mod+Shift+z', 'Z', 'KeyZ', ['ctrl', 'shift']],
    ['Alt+s', 'ß', 'KeyS', ['alt']],
    ['s', 'ы', 'KeyS', []],
    ['?', '?', 'Slash', ['shift']],
    ['1', '1', 'Digit1', ['shift']],
    ['+', '+', 'Equal', ['shift']],
    ['Space', ' ', 'Space', []],
    ['Shift+ArrowLeft', 'ArrowLeft', 'ArrowLeft', ['shift']],
    ['Meta+b', 'b', 'KeyB', ['meta']],
    [null, 'Shift', 'ShiftLeft', ['shift']],
  ])('returns %s', (keys, key, code, held) => {
    expect(press(key, code, held)).toBe(keys)
  })
})

test.each([
  ['Shift+$mod+z', '$mod+Shift+Z'],
  ['Shift+?', '?'],
  ['Shift++', '+'],
])('treats %s and %s as the same keys', (a, b) => {
  expect(canonicalKeys(a)).toBe(canonicalKeys(b))
})

describe('reservedReason', () => {
  test.each(['$mod+t', 'Shift+$mod+W', 'F5', '$mod+-', 'Tab', 'Shift+F10'])(
    'refuses %s',
    (keys) => {
      expect(reservedReason(keys)).toMatch(/^The browser uses /)
    },
  )

  test.each(['m', 'Shift+g', '$mod+k', '$mod+z', 'F2', '/'])('allows %s', (keys) => {
    expect(reservedReason(keys)).toBeNull()
  })
})
