import { describe, expect, test } from 'vitest'
import { nounOfSome, nounOfView } from './noun.ts'

describe('the word for a view', () => {
  test.each([
    ['image', {}, { itemCount: 5, videoCount: 0 }],
    ['video', {}, { itemCount: 5, videoCount: 5 }],
    ['item', {}, { itemCount: 5, videoCount: 2 }],
    ['item', {}, { itemCount: undefined, videoCount: 2 }],
    ['video', { kind: 'video' }, { itemCount: 5, videoCount: 2 }],
    ['image', { kind: 'image' }, { itemCount: 5, videoCount: 2 }],
    ['item', { kind: 'all' }, { itemCount: 5, videoCount: 2 }],
  ] as const)('is %s for %o in a place with %o', (noun, view, counts) => {
    expect(nounOfView(view, counts)).toBe(noun)
  })
})

describe('the word for some items of a view', () => {
  test.each([
    ['video', 1, ['a.mp4'], 'item'],
    ['item', 2, ['a.mp4', 'b.png'], 'item'],
    ['image', 2, ['b.png', 'c.png'], 'item'],
    ['item', 9, ['b.png', 'c.png'], 'item'],
    ['image', 9, ['b.png'], 'image'],
    ['image', 9, [], 'image'],
    // Counters of the place that do not know the new video yet.
    ['item', 9, ['a.mp4'], 'image'],
  ] as const)(
    'is %s for %i, of which %o are loaded, in a view of %ss',
    (noun, count, names, view) => {
      expect(nounOfSome(count, names, view)).toBe(noun)
    },
  )
})
