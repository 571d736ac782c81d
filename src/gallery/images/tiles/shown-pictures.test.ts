import { expect, test } from 'vitest'
import { pictureShown, wasShown } from './shown-pictures.ts'

test('the pictures that were shown last are remembered, those of long ago are not', () => {
  for (let number = 0; number < 400; number += 1) pictureShown(`${number}.webp`)
  pictureShown('0.webp')
  pictureShown('new.webp')

  expect(['new.webp', '0.webp', '1.webp', 'never.webp'].map(wasShown)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
