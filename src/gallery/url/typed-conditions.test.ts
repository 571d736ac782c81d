import { expect, it } from 'vitest'
import {
  conditionWithKey,
  exactly,
  hasChoice,
  negated,
  partsOf,
  quotedIfNeeded,
  withChoice,
  withCondition,
  withExclusion,
  withKey,
  withoutPart,
} from './typed-conditions.ts'

const labelsOf = (text: string) =>
  partsOf(text).map(
    ({ isExcluded, label, value }) => `${isExcluded ? 'not ' : ''}${label}: ${value}`,
  )

it.each<[string, ...string[]]>([
  ['castle "wide shot" -neon'],
  ['castle model:flux', 'Model: flux'],
  ['-model:"dream shaper" x', 'not Model: dream shaper'],
  ['model="flux1-dev" steps>20', 'Model: flux1-dev', 'Steps: > 20'],
  ['cfg:6.5..8 steps:..20 seed:1', 'CFG scale: 6.5 to 8', 'Steps: up to 20', 'Seed: 1'],
  ['size>=1024 size:1024x768', 'Longer side: ≥ 1024', 'Longer side: 1024x768'],
  ['(model:flux OR model:sdxl) -neon', 'Model: flux or sdxl'],
  ['-(is:starred OR steps>20)', 'not : is:starred OR steps>20'],
  ['steps>x after:2026-05', 'Since: 2026-05'],
])('finds the parts of %j', (text, ...labels) => {
  expect(labelsOf(text)).toEqual(labels)
})

const firstOf = (text: string) => {
  const [part] = partsOf(text)
  if (part === undefined) throw new Error('The search has no condition.')
  return part
}

it.each([
  ['model:flux', ''],
  ['castle  model:flux  sea', 'castle sea'],
  ['(model:flux OR model:sdxl) sea', 'sea'],
  ['sea -(model:flux steps>2)', 'sea'],
  ['( model:flux )', ''],
  ['size:1024x768 a', 'a'],
])('removes the first part of %j', (text, rest) => {
  expect(withoutPart(text, firstOf(text))).toBe(rest)
})

it.each([
  ['a model:flux b', 'a -model:flux b'],
  ['(model:flux OR model:sdxl) b', '-(model:flux OR model:sdxl) b'],
  ['model:flux OR steps>2', '-(model:flux OR steps>2)'],
])('excludes the first part of %j, and includes it again', (text, excluded) => {
  expect(withExclusion(text, firstOf(text))).toBe(excluded)
  const again = withExclusion(excluded, firstOf(excluded))
  expect(labelsOf(again)).toEqual(labelsOf(text))
})

it('adds a condition once', () => {
  expect(withCondition('castle ', 'model="a b"')).toBe('castle model="a b"')
  expect(withCondition('model="a b" castle', 'model="a b"')).toBe('model="a b" castle')
  expect(withCondition('', '-seed=1')).toBe('-seed=1')
})

it('replaces the condition of a key, adds and removes it', () => {
  expect(withKey('a shape:square b', 'shape', 'shape:portrait')).toBe('a shape:portrait b')
  expect(withKey('a', 'shape', 'shape:portrait')).toBe('a shape:portrait')
  expect(withKey('a shape:square b', 'shape', '')).toBe('a b')
  expect(withKey('-shape:square', 'shape', '')).toBe('-shape:square')
  expect(conditionWithKey('-model:a OR model:b', 'model')).toBeNull()
  expect(conditionWithKey('model:"a b"', 'model')).toMatchObject({ comparison: ':', value: 'a b' })
})

it('adds and removes one choice of a key', () => {
  expect(hasChoice('has:prompt has:Workflow', 'has', 'workflow')).toBe(true)
  expect(hasChoice('-has:workflow', 'has', 'workflow')).toBe(false)
  expect(withChoice('a has:prompt', 'has', 'workflow', true)).toBe('a has:prompt has:workflow')
  expect(withChoice('has:workflow', 'has', 'workflow', true)).toBe('has:workflow')
  expect(withChoice('has:prompt has:workflow b', 'has', 'workflow', false)).toBe('has:prompt b')
  expect(withChoice('a', 'has', 'workflow', false)).toBe('a')
})

it.each([
  ['flux1-dev', 'flux1-dev'],
  ['dream shaper', '"dream shaper"'],
  ['a"b', '"a b"'],
  ['', '""'],
  ['x(y)', '"x(y)"'],
])('quotes %j if needed', (value, quoted) => {
  expect(quotedIfNeeded(value)).toBe(quoted)
})

it('writes the condition of an exact value', () => {
  expect(exactly('model', 'a "b" c')).toBe('model="a  b  c"')
  expect(exactly('steps', 30)).toBe('steps:30')
  expect(exactly('seed', '123')).toBe('seed:123')
})

it('negates conditions', () => {
  expect(negated('type:png')).toBe('-type:png')
  expect(negated('size:512x768')).toBe('-size:512x768')
  expect(negated('-has:board')).toBe('has:board')
  expect(negated('lora="a" lora="b"')).toBe('-(lora="a" lora="b")')
})
