import { expect, onTestFinished, test, vi } from 'vitest'
import { DEFAULT_MAX_PIXELS } from '#contract/limits.ts'
import { readExportSettings } from './export-settings.ts'

const form = { format: 'original', quality: 85, longestSidePx: null, withoutMetadata: false }

test.each([
  [['out'], { kind: 'originals', link: false, hasXmp: false, names: null }],
  [['out', '--format', 'JPG'], { kind: 'converted', form: { ...form, format: 'jpeg' } }],
  [
    ['out', '--longest-side', '800', '--quality', '70', '--xmp'],
    { kind: 'converted', form: { ...form, longestSidePx: 800, quality: 70 }, hasXmp: true },
  ],
  [['out', '--without-metadata'], { kind: 'converted', form: { ...form, withoutMetadata: true } }],
  [['--contact-sheet', 'a.PDF'], { kind: 'sheet', format: 'pdf', columns: 4, hasNames: true }],
  [
    ['--contact-sheet', '/a.png', '--columns', '10', '--no-captions'],
    { kind: 'sheet', file: '/a.png', format: 'png', columns: 10, hasNames: false },
  ],
])('parses %j', (args, target) => {
  expect(readExportSettings(args).target).toMatchObject(target)
})

test('takes the largest image from the flag or the environment, also for originals', () => {
  const maxPixelsOf = (...args: string[]) => readExportSettings(['out', ...args]).maxPixels
  expect(maxPixelsOf()).toBe(DEFAULT_MAX_PIXELS)
  expect(maxPixelsOf('--format', 'png', '--max-pixels', '5_000')).toBe(5_000)
  vi.stubEnv('TESSERA_MAX_PIXELS', '7000')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(maxPixelsOf()).toBe(7_000)
})

test.each([
  [[], 'Give a folder, or --contact-sheet'],
  [['out', '--format', 'gif'], 'It is jpeg, webp, avif or png.'],
  [['out', '--format', 'original'], 'It is jpeg, webp, avif or png.'],
  [['out', '--format', 'jpeg', '--quality', '101'], 'a whole number from 1 to 100'],
  [['out', '--format', 'jpeg', '--quality', '0'], 'a whole number from 1 to 100'],
  [['out', '--longest-side', '15'], 'a whole number from 16 to 20000'],
  [['out', '--longest-side', '9e3'], 'a whole number from 16 to 20000'],
  [['out', '--quality', '80'], '--quality needs --format jpeg, webp or avif'],
  [['out', '--format', 'png', '--quality', '80'], 'PNG has no quality.'],
  [['out', '--format', 'png', '--link'], '--link and --format cannot be combined.'],
  [['out', '--without-metadata', '--link'], '--link and --without-metadata cannot'],
  [['out', '--without-metadata', '--xmp'], '--xmp and --without-metadata cannot'],
  [['out', '--columns', '3'], '--columns needs --contact-sheet.'],
  [['out', '--no-captions'], '--no-captions needs --contact-sheet.'],
  [['out', '--max-pixels', '5000'], '--max-pixels needs converted files or --contact-sheet.'],
  [['out', '--format', 'png', '--max-pixels', '0'], 'a whole number above 0'],
  [['out', '--contact-sheet', 'a.pdf'], '--contact-sheet and a folder cannot be combined.'],
  [['--contact-sheet', 'a.jpg'], 'a name that ends in .pdf or .png'],
  [['--contact-sheet', 'a.pdf', '--columns', '11'], 'a whole number from 1 to 10'],
  [['--contact-sheet', 'a.pdf', '--names', '{name}'], '--contact-sheet and --names cannot'],
  [['--contact-sheet', 'a.pdf', '--format', 'jpeg'], '--contact-sheet and --format cannot'],
  [['--contact-sheet', 'a.pdf', '--quality', '80'], '--contact-sheet and --quality cannot'],
  [['--contact-sheet', 'a.pdf', '--without-metadata'], '--contact-sheet and --without-metadata'],
])('refuses %j', (args, message) => {
  expect(() => readExportSettings(args)).toThrow(message)
})
