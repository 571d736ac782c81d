import { expect, test } from 'vitest'
import { markShown, wasShown } from './shown-pictures.ts'

test('remembers only the images that were shown last', () => {
  for (let number = 0; number < 400; number += 1) markShown(`${number}.webp`)
  markShown('0.webp')
  markShown('new.webp')

  expect(['new.webp', '0.webp', '1.webp', 'never.webp'].map(wasShown)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
