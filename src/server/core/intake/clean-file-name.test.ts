import { expect, test } from 'vitest'
import { cleanFileName } from './clean-file-name.ts'

test.each([
  ['cat.png', 'cat.png'],
  ['../../etc/passwd.png', 'passwd.png'],
  ['C:\\Users\\me\\Grüße 日本.jpg', 'Grüße 日本.jpg'],
  ['a\0b\n.png', 'ab.png'],
  ['photo\u202egnp.exe', 'photognp.exe'],
  ['\u2066x\u2069.png', 'x.png'],
  ['e\u0301.png', 'é.png'],
  ['half\ud800.png', 'half\ufffd.png'],
  ['  spaced .png ', 'spaced .png'],
  ['..', null],
  ['/', null],
  ['', null],
  ['\u202e', null],
  [undefined, null],
  [null, null],
])('stores %j as %j', (given, kept) => {
  expect(cleanFileName(given)).toBe(kept)
})

test('shortens ten thousand characters to 255 and keeps the extension', () => {
  const kept = cleanFileName(`${'x'.repeat(10_000)}.jpeg`)

  expect(kept).toHaveLength(255)
  expect(kept).toMatch(/^x+\.jpeg$/)
})

test('does not split a surrogate pair', () => {
  expect(cleanFileName(`${'x'.repeat(250)}🦊.png`)?.isWellFormed()).toBe(true)
})
