import { expect, test } from 'vitest'
import { SNIFFED_BYTES, sniffFormat } from './sniff-format.ts'

const sniff = (head: string) => sniffFormat(Buffer.from(head).subarray(0, SNIFFED_BYTES))

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '\ufeff <?xml version="1.0"?>\n<!-- by hand -->\n<!DOCTYPE svg PUBLIC "x">\n<SVG/>',
  '<!-- <svg> -->\n<!-- again --> <svg/>',
])('%j is an SVG', (head) => {
  expect(() => sniff(head)).toThrow('this is SVG')
})

test.each(['<!-- <svg> --> text', '<!-- <svg>', 'text <svg>'])('%j is not an SVG', (head) => {
  expect(() => sniff(head)).toThrow('this is a text file')
})

test.each(['<!---->', '<!-- -->', '<?xml>', '<!doctype svg>', '<!--', '-->', ' ', '\n'])(
  'a head full of %j is told at once',
  (piece) => {
    expect(() => sniff(piece.repeat(SNIFFED_BYTES / piece.length))).toThrow('this is a text file')
  },
)
