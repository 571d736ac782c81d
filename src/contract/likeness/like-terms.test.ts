import { expect, test } from 'vitest'
import { colorIn, likeCondition, likenesses, likeValueIn } from './like-terms.ts'

test.each([
  ['0198.png', { by: 'picture', imageName: '0198.png' }],
  ['picture:0198.png', { by: 'picture', imageName: '0198.png' }],
  [' PROMPT:a.png ', { by: 'prompt', imageName: 'a.png' }],
  ['parameters:a.png', { by: 'parameters', imageName: 'a.png' }],
  ['sound:a.png', null],
  ['prompt:', null],
  ['a b.png', null],
  ['', null],
])('reads the likeness %j', (text, value) => {
  expect(likeValueIn(text)).toEqual(value)
})

test.each(likenesses)('writes the likeness by %s so that it is read again', (by) => {
  const value = { by, imageName: '0198.png' }
  expect(likeValueIn(likeCondition(value).replace(/^like:/, ''))).toEqual(value)
})

test.each([
  ['#ff8800', [255, 136, 0]],
  ['f80', [255, 136, 0]],
  ['ORANGE', [255, 165, 0]],
  ['#12', null],
  ['#gggggg', null],
  ['constructor', null],
  ['', null],
])('reads the color %j', (text, color) => {
  expect(colorIn(text)).toEqual(color)
})
