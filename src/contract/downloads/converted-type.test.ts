import { expect, test } from 'vitest'
import { expectedType, keepsForm } from './converted-type.ts'

const asIs = { format: 'original', longestSidePx: null, withoutMetadata: false } as const
const still = { is_animated: false, width: 400, height: 300 }

test.each([
  ['image/png', { format: 'jpeg' }, 'image/jpeg'],
  ['image/heic', {}, 'image/heic'],
  ['image/heic', { longestSidePx: 400 }, 'image/heic'],
  ['image/heic', { longestSidePx: 399 }, 'image/png'],
  ['image/webp', { longestSidePx: 399 }, 'image/webp'],
  ['image/gif', { longestSidePx: 399 }, 'image/png'],
  ['image/gif', { withoutMetadata: true }, 'image/gif'],
  ['image/bmp', { withoutMetadata: true }, 'image/png'],
  ['image/avif', { withoutMetadata: true }, 'image/avif'],
  ['video/mp4', { format: 'jpeg' }, 'video/mp4'],
] as const)('%s becomes with %j %s', (media_type, changes, expected) => {
  expect(expectedType({ ...still, media_type }, { ...asIs, ...changes })).toBe(expected)
})

test.each([
  ['video/mp4', false, { format: 'jpeg' }, true],
  ['image/gif', true, { format: 'jpeg', withoutMetadata: true }, true],
  ['image/gif', true, { longestSidePx: 399 }, true],
  ['image/gif', true, { longestSidePx: 400 }, false],
  ['image/gif', true, { withoutMetadata: true }, false],
  ['image/gif', false, { format: 'jpeg' }, false],
] as const)(
  '%s, animated: %s, keeps its form with %j: %s',
  (media_type, is_animated, changes, keeps) => {
    const item = { ...still, media_type, is_animated }

    expect(keepsForm(item, { ...asIs, ...changes })).toBe(keeps)
  },
)
