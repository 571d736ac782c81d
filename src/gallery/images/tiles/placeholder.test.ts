import { rgbaToThumbHash } from 'thumbhash'
import { expect, test } from 'vitest'
import { averageColorOf, isTranslucent, placeholderOf } from './placeholder.ts'

function hashOfRed({ alpha = 255 } = {}): string {
  const pixels = Array.from({ length: 16 * 16 }, () => [220, 30, 30, alpha]).flat()
  return btoa(String.fromCharCode(...rgbaToThumbHash(16, 16, pixels)))
}

test('returns a red average color and placeholder for a red image', () => {
  const [red = 0, green = 0, blue = 0] =
    averageColorOf(hashOfRed())?.match(/\d+/g)?.map(Number) ?? []

  expect(red).toBeGreaterThan(180)
  expect(green).toBeLessThan(80)
  expect(blue).toBeLessThan(80)
  expect(placeholderOf(hashOfRed())).toMatch(/^url\(data:image\/png;base64,/)
})

test('returns no placeholder without a valid hash', () => {
  expect(placeholderOf(null)).toBeUndefined()
  expect(placeholderOf('%%%')).toBeUndefined()
  expect(averageColorOf('')).toBeUndefined()
})

test('detects images with transparency', () => {
  expect(isTranslucent(hashOfRed({ alpha: 100 }))).toBe(true)
  expect(isTranslucent(hashOfRed())).toBe(false)
  expect(isTranslucent(null)).toBe(false)
})
