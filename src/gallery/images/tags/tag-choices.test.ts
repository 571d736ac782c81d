import { expect, test } from 'vitest'
import { tagChoices, withKeys } from './tag-choices.ts'

const tag = (name: string) => ({ name, color: null, count: 1, used_at: '2026-05-01 10:00:00.000' })
const all = withKeys(['people/anna', 'people/bob', 'Best of', 'C#', 'sea-view'].map(tag))

const found = (typed: string) => {
  const { present, others, newName, first } = tagChoices(all, new Map([['people/bob', 1]]), typed)
  return { names: [...present, ...others].map(({ name }) => name), newName, first }
}

test.each([
  ['people/anna', ['people/anna'], null, 'people/anna'],
  ['People / Anna', ['people/anna'], null, 'people/anna'],
  ['people/', ['people/bob', 'people/anna'], null, 'people/anna'],
  ['anna', ['people/anna'], 'anna', null],
  ['best', ['Best of'], 'best', null],
  ['c', ['C#'], 'c', null],
  ['c#', ['C#'], null, 'C#'],
  ['c++', [], 'c++', null],
  ['sea view', ['sea-view'], 'sea view', null],
])('finds tags by %j', (typed, names, newName, first) => {
  expect(found(typed)).toEqual({ names, newName, first })
})
