import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLocale } from '#gallery/ui/text/locale.ts'
import { importOf } from '#testing/library/import-of.ts'
import {
  detailOf,
  folderNameOf,
  forecastOf,
  leftFilesOf,
  leftOutOf,
  refusalsAsText,
  shareOf,
  titleOf,
  unbroken,
} from './import-words.ts'

beforeAll(() => setLocale('en-US'))
afterAll(() => setLocale(undefined))

const one = importOf()

test.each([
  ['/home/ada/Pictures', 'Pictures'],
  ['/home/ada/Pictures/', 'Pictures'],
  ['C:\\Users\\Ada\\Bilder', 'Bilder'],
  ['/', '/'],
])('names the folder %s %s', (path, name) => {
  expect(folderNameOf(path)).toBe(name)
})

test('describes progress, speed and remaining time of a running import', () => {
  expect(titleOf(one)).toBe('Importing Pictures')
  expect(detailOf(one)).toBe('1,204 of 12,431 · 31 already here · 8 refused · 42/s · 2 min left')
  expect(shareOf(one)).toBeCloseTo(0.1, 2)
})

test('has no progress while files are being counted', () => {
  const counting = { ...one, is_counted: false, images_per_second: 3.25, seconds_left: null }

  expect(detailOf(counting)).toMatch(/^1,204 of 12,431 found so far · .* · 3\.3\/s$/)
  expect(shareOf(counting)).toBeNull()
})

test('describes the result of a finished import', () => {
  const over = importOf({ state: 'completed', known: 0, refused: 0, taken_in: 1 })

  expect([titleOf(over), detailOf(over)]).toEqual(['Imported Pictures', '1 image'])
  expect(titleOf({ ...one, state: 'failed' })).toBe('Pictures was not imported')
})

test('describes the end of a watch not as a cancellation', () => {
  const stopped = importOf({ state: 'canceled', watch: true, found: 1243 })

  expect(titleOf(stopped)).toBe('Stopped watching Pictures')
  expect(titleOf({ ...stopped, found: 1244 })).toBe('Canceled: Pictures')
  expect(titleOf({ ...stopped, is_counted: false })).toBe('Canceled: Pictures')
})

test('describes the progress of an interrupted import', () => {
  const cutOff = importOf({ state: 'interrupted', images_per_second: null, seconds_left: null })

  expect(titleOf(cutOff)).toBe('Interrupted: Pictures')
  expect(detailOf(cutOff)).toBe('1,204 of 12,431 · 31 already here · 8 refused')
  expect(detailOf({ ...cutOff, is_counted: false })).toMatch(/^1,204 of 12,431 found · /)
  const watched = { ...cutOff, watch: true, found: 1243 }
  expect(titleOf(watched)).toBe('Stopped watching Pictures')
  expect(detailOf(watched)).toMatch(/^1,204 new images · /)
})

test('breaks lines only between parts', () => {
  expect(unbroken('2 images · 1 refused')).toBe('2\u00a0images\u00a0· 1\u00a0refused')
})

test('describes the forecast of a dry run', () => {
  expect(forecastOf({ ...one, state: 'completed' })).toBe(
    '1,204 new images; 31 already here; 8 will be refused.',
  )
  expect(forecastOf({ ...one, known: 0, refused: 0 })).toBe(
    '1,204 new images so far, in 1,204 of 12,431 files · 2 min left',
  )
  expect(forecastOf({ ...one, known: 0, refused: 0, is_counted: false })).toBe(
    '1,204 new images so far…',
  )
})

test('reports excluded intermediate images of an InvokeAI library', () => {
  expect(leftOutOf({ left_out: 1 })).toBe('1 intermediate file, hidden in InvokeAI too')
  expect([leftOutOf({ left_out: 0 }), leftOutOf({})]).toEqual([null, null])
  expect(forecastOf({ ...one, refused: 0, left_out: 12, state: 'completed' })).toBe(
    '1,204 new images; 31 already here; 12 intermediate files left out.',
  )
})

test('formats refused files as text', () => {
  const refusals = [{ path: '/a/b.png', code: 'damaged_image', reason: 'It is cut off.' }]

  expect(refusalsAsText(refusals)).toBe('/a/b.png\tIt is cut off.')
})

test('counts the images and the videos of a finished import', () => {
  const over = importOf({ state: 'completed', known: 0, refused: 0, taken_in: 15, videos: 3 })

  expect(detailOf(over)).toBe('12 images and 3 videos')
  expect(detailOf({ ...over, videos: 15 })).toBe('15 videos')
  expect(detailOf({ ...over, known: 1 })).toMatch(/^12 new images and 3 new videos · /)
  expect(forecastOf({ ...over, videos: 14 })).toBe('1 new image and 14 new videos.')
})

test('counts left files by extension, the most frequent first', () => {
  expect(leftFilesOf({ left_files: { safetensors: 1, txt: 3 } })).toBe('3 .txt, 1 .safetensors')
  const many = { a: 9, b: 8, c: 7, d: 6, e: 5, f: 4, '': 1300 }
  expect(leftFilesOf({ left_files: many })).toBe('9 .a, 8 .b, 7 .c, 6 .d, 5 .e, and 1,304 more')
  expect(leftFilesOf({ left_files: { '': 1 } })).toBe('1 file')
  expect([leftFilesOf({ left_files: {} }), leftFilesOf({})]).toEqual([null, null])
})
