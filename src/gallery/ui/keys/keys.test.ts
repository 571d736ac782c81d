import { expect, test } from 'vitest'
import { formsOf } from './keys.ts'

test.each([
  ['m', 'm', 'KeyM'],
  ['$mod+z', '$mod+z', '$mod+KeyZ'],
  ['Shift+O', 'Shift+O', 'Shift+KeyO'],
  ['/', '[Shift]+/', null],
  ['1', '[Shift]+1', null],
  ['Shift+?', 'Shift+?', null],
  ['ArrowLeft', 'ArrowLeft', null],
  ['$mod+Space', '$mod+Space', null],
])('matches %s by the character %s and by the position %s', (keys, byCharacter, byPosition) => {
  expect(formsOf(keys)).toEqual({ byCharacter, byPosition })
})
