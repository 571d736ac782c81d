import fc from 'fast-check'
import { expect, it } from 'vitest'
import { signedText, tagMatcher } from './tag-matcher.ts'
import { tagKey, tagNameIn } from './tag-names.ts'

it.each([
  ['Keep', 'keep'],
  ['Café', 'cafe'],
  [' People /  Anna  B ', 'people/anna b'],
  ['ＡＢＣ', 'abc'],
  ['say "hi"', 'say hi'],
  ['1\u0301', '1'],
])('takes %j and %j for one tag', (one, other) => {
  expect(tagKey(one)).toBe(tagKey(other))
})

it.each([
  ['C#', 'C'],
  ['C++', 'C'],
  ['C++', 'Cpp'],
  ['50%', '50'],
  ['sea-view', 'sea view'],
  ['cat 🐱', 'cat'],
  ['はは', 'ぱぱ'],
  ['कल', 'कील'],
  ['a／b', 'a/b'],
])('takes %j and %j for two tags', (one, other) => {
  expect(tagKey(one)).not.toBe(tagKey(other))
})

it('has as many levels in a key as in a name, and no empty one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
      const name = tagNameIn(text)
      if (name === null) return
      const [levels, keys] = [name.split('/'), tagKey(name).split('/')]
      expect(keys).toHaveLength(levels.length)
      expect(keys).not.toContain('')
      expect(levels.map(tagKey)).toEqual(keys)
    }),
  )
})

it.each<[string, string, boolean]>([
  ['c', 'C#', true],
  ['c#', 'C#', true],
  ['c#', 'learn c# well', true],
  ['c#', 'C', false],
  ['c#', 'cat', false],
  ['c++', 'C++', true],
  ['c++', 'Cpp', false],
  ['50%', '50% off', true],
  ['%', '50%', true],
  ['sea view', 'Sea-View', true],
  ['sea-v', 'sea view', true],
  ['people/an', 'People/Anna', true],
  ['★', '★ best', true],
])('compares the tag %j with %j: %s', (text, name, matches) => {
  expect(tagMatcher(text)(name)).toBe(matches)
})

it('finds signs', () => {
  expect(['c#', 'sea-view', 'people/anna', 'v1.5_x', 'anna’s'].map(signedText)).toEqual([
    ...['c#', null, null, null, null],
  ])
})
