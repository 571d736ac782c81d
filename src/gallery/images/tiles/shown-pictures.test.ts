import { expect, test } from 'vitest'
import { ShownPictures } from './shown-pictures.ts'

test('remembers only the images that were shown last', () => {
  const shown = new ShownPictures()
  for (let number = 0; number < 400; number += 1) shown.add(`${number}.webp`)
  shown.add('0.webp')
  shown.add('new.webp')

  expect(['new.webp', '0.webp', '1.webp', 'never.webp'].map((url) => shown.has(url))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
