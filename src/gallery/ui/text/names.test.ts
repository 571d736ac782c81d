import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLocale } from './locale.ts'
import { imageLabelOf, isolated } from './names.ts'

beforeAll(() => setLocale('en-US'))
afterAll(() => setLocale(undefined))

test.each(['Portraits', 'Grün & 日本 (2)', '', '12,431'])('%j stays as it is', (name) => {
  expect(isolated(name)).toBe(name)
})

test.each(['صور', 'תמונות 3', 'Trip to خليج'])('%j is isolated from its sentence', (name) => {
  expect(isolated(name)).toBe(`\u2068${name}\u2069`)
})

test('a name cannot turn the text around it, nor end its isolation', () => {
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

test('an image is called by its prompt, else by its file name', () => {
  const named = { ...image, file_name: 'fox.png' }

  expect(imageLabelOf({ ...named, prompt_start: 'a fox\nin  snow' })).toBe('a fox in snow')
  expect(imageLabelOf(named)).toBe('fox.png')
})

test('a UUID is never read aloud, be it the name of the image or of its file', () => {
  expect(imageLabelOf(image)).toMatch(/^Generated image, Nov 22, 2026, \d+:00\s[AP]M$/)
  expect(imageLabelOf({ ...image, file_name: NAME.toUpperCase() })).toMatch(/^Generated image, /)
  expect(imageLabelOf({ ...image, image_origin: 'external' })).toMatch(/^Uploaded image, /)
})

test('a hostile name is short, in one line, and turns no text around', () => {
  const label = imageLabelOf({ ...image, file_name: `\u202Egnp\u0000\n${'🦊'.repeat(500)}.png` })

  expect(label).toMatch(/^gnp 🦊+$/u)
  expect(Array.from(label).length).toBeLessThanOrEqual(120)
})
