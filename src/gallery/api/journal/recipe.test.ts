import { expect, test } from 'vitest'
import { packed, type Recipe, unpacked } from './recipe.ts'

test('stores the images of a restore by board', () => {
  const recipe: Recipe = {
    kind: 'step',
    options: {
      aspect: 'trashed',
      wanted: false,
      restoredTo: [
        ['board', ['a.png', 'b.png']],
        ['none', ['c.png']],
      ],
    },
    had: new Map([[true, ['a.png', 'b.png', 'c.png']]]),
  }

  const stored = packed(recipe)

  expect(stored).toMatchObject({
    restoredTo: [
      ['board', 'a.png\nb.png'],
      ['none', 'c.png'],
    ],
  })
  expect(unpacked(stored)).toEqual(recipe)
})
