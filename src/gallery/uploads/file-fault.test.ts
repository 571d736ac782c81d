import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLocale } from '#gallery/ui/text/locale.ts'
import { faultOf, isSystemFile, pickableTypes } from './file-fault.ts'

beforeAll(() => setLocale('en-US'))
afterAll(() => setLocale(undefined))

const tessera = { maxBytes: 1_048_576, maxVideoBytes: 4_194_304, onlyKnownFormats: true }
const invokeai = { maxBytes: null, maxVideoBytes: null, onlyKnownFormats: false }

test.each([
  { name: 'cat.png', type: 'image/png' },
  { name: 'CAT.JPG', type: 'image/jpeg' },
  { name: 'scan.tif', type: '' },
  { name: 'old.bmp', type: '' },
  { name: 'phone.heic', type: '' },
  { name: 'picture without extension', type: 'image/webp' },
  { name: 'boat.mp4', type: 'video/mp4' },
  { name: 'boat.MKV', type: '' },
  { name: 'boat.mov', type: 'video/quicktime', size: 2_097_152 },
])('accepts $name', (file) => {
  expect(faultOf({ size: 10, ...file }, tessera)).toBeNull()
})

test.each([
  {
    name: 'notes.txt',
    type: 'text/plain',
    size: 10,
    fault: 'This is neither an image nor a video.',
  },
  { name: 'README', type: '', size: 10, fault: 'This is neither an image nor a video.' },
  { name: 'cat.png', type: 'image/png', size: 0, fault: 'The file is empty.' },
  {
    name: 'cat.png',
    type: 'image/png',
    size: 1_572_864,
    fault: '1.5 MiB is too large. The limit is 1.0 MiB.',
  },
  {
    name: 'boat.webm',
    type: 'video/webm',
    size: 6_291_456,
    fault: '6.0 MiB is too large. The limit is 4.0 MiB.',
  },
  {
    name: 'logo.svg',
    type: 'image/svg+xml',
    size: 10,
    fault:
      'This format cannot be added. Save it as PNG, JPEG, WebP, GIF, AVIF, HEIC, JPEG XL, TIFF or BMP.',
  },
])('reports $name of $size bytes: $fault', ({ fault, ...file }) => {
  expect(faultOf(file, tessera)).toBe(fault)
})

test('lets a server without a list of formats decide about unknown ones', () => {
  expect(faultOf({ name: 'old.ico', type: 'image/x-icon', size: 9e9 }, invokeai)).toBeNull()
})

test.each(['.DS_Store', '._cat.png', 'Thumbs.db', 'desktop.ini'])('ignores %s', (name) => {
  expect(isSystemFile(name)).toBe(true)
})

test('offers videos to a server that takes them', () => {
  expect(pickableTypes(tessera)).toContain('video/mp4')
  expect(pickableTypes(invokeai)).not.toContain('video/mp4')
  expect(faultOf({ name: 'boat.mp4', type: 'video/mp4', size: 10 }, invokeai)).toBe(
    'This is not an image.',
  )
})

test('lets iOS convert its photos for an InvokeAI, and not for a Tessera', () => {
  expect(pickableTypes(tessera)).toContain('image/heic')
  expect(pickableTypes(invokeai)).not.toContain('image/heic')
  expect(pickableTypes(invokeai)).toContain('image/jpeg')
})
