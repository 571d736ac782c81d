import { expect, test } from 'vitest'
import { SNIFFED_BYTES, sniffFormat } from './sniff-format.ts'

const sniff = (head: string) => sniffFormat(Buffer.from(head).subarray(0, SNIFFED_BYTES))

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '\ufeff <?xml version="1.0"?>\n<!-- by hand -->\n<!DOCTYPE svg PUBLIC "x">\n<SVG/>',
  '<!-- <svg> -->\n<!-- again --> <svg/>',
])('detects %j as SVG', (head) => {
  expect(() => sniff(head)).toThrow('this is SVG')
})

test.each(['<!-- <svg> --> text', '<!-- <svg>', 'text <svg>'])(
  'does not detect %j as SVG',
  (head) => {
    expect(() => sniff(head)).toThrow('this is a text file')
  },
)

test.each(['<!---->', '<!-- -->', '<?xml>', '<!doctype svg>', '<!--', '-->', ' ', '\n'])(
  'detects a head full of %j without delay',
  (piece) => {
    expect(() => sniff(piece.repeat(SNIFFED_BYTES / piece.length))).toThrow('this is a text file')
  },
)
