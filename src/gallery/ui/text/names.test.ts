import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLocale } from './locale.ts'
import { imageLabelOf, isolated } from './names.ts'

beforeAll(() => setLocale('en-US'))
afterAll(() => setLocale(undefined))

test.each(['Portraits', 'Grün & 日本 (2)', '', '12,431'])('leaves %j unchanged', (name) => {
  expect(isolated(name)).toBe(name)
})

test.each(['صور', 'תמונות 3', 'Trip to خليج'])('isolates %j from its sentence', (name) => {
  expect(isolated(name)).toBe(`\u2068${name}\u2069`)
})

test('removes direction controls that would escape the isolation', () => {
  expect(isolated('a\u202Egnp.exe')).toBe('\u2068agnp.exe\u2069')
  expect(isolated('a\u2069\u2067b')).toBe('\u2068ab\u2069')
})

const NAME = '01a203d6-9a07-72ac-8bb1-2a4b5c6d7e8f.png'

const image = {
  image_name: NAME,
  file_name: null,
  prompt_start: null,
  image_origin: 'internal',
  created_at: '2026-11-22 12:00:00.000',
} as const

test('labels an image with its prompt, or else with its file name', () => {
  const named = { ...image, file_name: 'fox.png' }

  expect(imageLabelOf({ ...named, prompt_start: 'a fox\nin  snow' })).toBe('a fox in snow')
  expect(imageLabelOf(named)).toBe('fox.png')
})

test('never uses a UUID as label, neither the image name nor the file name', () => {
  expect(imageLabelOf(image)).toMatch(/^Generated image, Nov 22, 2026, \d+:00\s[AP]M$/)
  expect(imageLabelOf({ ...image, file_name: NAME.toUpperCase() })).toMatch(/^Generated image, /)
  expect(imageLabelOf({ ...image, image_origin: 'external' })).toMatch(/^Uploaded image, /)
})

test('shortens a hostile name to one line without direction controls', () => {
  const label = imageLabelOf({ ...image, file_name: `\u202Egnp\u0000\n${'🦊'.repeat(500)}.png` })

  expect(label).toMatch(/^gnp 🦊+$/u)
  expect(Array.from(label).length).toBeLessThanOrEqual(120)
})
