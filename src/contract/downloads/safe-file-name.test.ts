import { expect, test } from 'vitest'
import { safeFileName, sameNameKey } from './safe-file-name.ts'

test.each([
  ['..', 'image'],
  ['', 'image'],
  ['nul.tar.gz', '_nul.tar.gz'],
  ['a/b\\c', 'a_b_c'],
  ['tail. . ', 'tail'],
  ['new\nline\u0000', 'new_line_'],
  ['\ud800half.png', '\ufffdhalf.png'],
  ['🐈.png', '🐈.png'],
])('stores %j as %j', (given, kept) => {
  expect(safeFileName(given)).toBe(kept)
})

test.each(['x', 'ü', '日', '🐈'])(
  'leaves room within 255 bytes for a long name of %s',
  (letter) => {
    const name = safeFileName(`${letter.repeat(400)}.png`)

    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(215)
    expect(name).toMatch(/\.png$/)
    expect(name.isWellFormed()).toBe(true)
  },
)

test('gives one key to names that macOS or Windows consider equal', () => {
  expect(sameNameKey('E\u0301te\u0301.PNG')).toBe(sameNameKey('Été.png'))
})
