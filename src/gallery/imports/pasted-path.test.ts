import { expect, test } from 'vitest'
import { pathFromPaste } from './pasted-path.ts'

test.each([
  [' /home/ada/Pictures\n', '/home/ada/Pictures'],
  ['"C:\\My Pictures"', 'C:\\My Pictures'],
  ["'/a b'", '/a b'],
  ['file:///home/ada/A%20B', '/home/ada/A B'],
  ['file:///C:/Bilder', 'C:/Bilder'],
  ['file:///%zz', 'file:///%zz'],
  ['~/Pictures', '~/Pictures'],
  ['/it’s "here"/x', '/it’s "here"/x'],
])('converts %j to the path %j', (text, path) => {
  expect(pathFromPaste(text)).toBe(path)
})
