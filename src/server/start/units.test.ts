import { expect, test } from 'vitest'
import { formatBytes, parseBytes } from './units.ts'

test.each([
  ['200MiB', 209_715_200],
  ['1.5 GB', 1_500_000_000],
  ['10k', 10_000],
  ['1Gi', 1_073_741_824],
  ['4096', 4096],
  ['512 b', 512],
])('parses %s as %d bytes', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes)
})

test.each(['', '0', '-1', 'much', '10 XB', '1e3', '9'.repeat(30)])(
  'rejects %j as a size',
  (text) => {
    expect(parseBytes(text)).toBeNull()
  },
)

test.each([
  [209_715_200, '200 MiB'],
  [15_250_000_000, '14.2 GiB'],
  [12, '12 bytes'],
])('formats %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
