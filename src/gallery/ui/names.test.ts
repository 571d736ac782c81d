import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLocale } from './locale.ts'
import { isolated } from './names.ts'

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
