import { expect, test } from 'vitest'
import { pdfOfJpegs } from './pdf-of-jpegs.ts'

test('contains each JPEG unchanged, and its table has the place of each object', () => {
  const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)

  const parts = pdfOfJpegs([
    { jpeg, width: 20, height: 30 },
    { jpeg: jpeg.toReversed(), width: 20, height: 30 },
  ])

  const bytes = parts.map((part) => Buffer.from(part as string, 'latin1'))
  const text = Buffer.concat(bytes).toString('latin1')
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  const table = text.slice(start)
  const offsets = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset))
  expect(table).toMatch(/^xref\n0 9\n/)
  expect(offsets.map((offset, index) => text.startsWith(`${index + 1} 0 obj\n`, offset))).toEqual(
    Array(8).fill(true),
  )
  expect(text).toContain('/Kids [3 0 R 6 0 R] /Count 2')
  expect(text).toContain('/Length 4 >>\nstream\n\xff\xd8\xff\xd9\nendstream')
})
