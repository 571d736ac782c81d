import { expect, test } from 'vitest'
import { keyNames } from './key-names.ts'

test.each([
  ['m', ['M']],
  ['$mod+Shift+z', ['Ctrl', 'Shift', 'Z']],
  ['ArrowLeft', ['←']],
  ['Shift+?', ['?']],
  ['Home', ['Home']],
  ['+', ['+']],
  ['Shift++', ['Shift', '+']],
])('shows %s as %j', (keys, shown) => {
  expect(keyNames(keys)).toEqual(shown)
})
