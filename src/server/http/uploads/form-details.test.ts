import { expect, test } from 'vitest'
import { formDetails } from './form-details.ts'

test('reads all text parts of a form', () => {
  const texts = new Map([
    ['resize_to', '{"width": 64, "height": 32}'],
    ['metadata', '{"seed": 1}'],
    ['taken_at', '2026-11-21 07:32:39.125'],
  ])

  expect(formDetails(texts)).toEqual({
    resizeTo: { width: 64, height: 32 },
    metadata: '{"seed": 1}',
    takenAt: Date.UTC(2026, 10, 21, 7, 32, 39, 125),
  })
})

test('reads an empty form as no options and ignores an invalid date', () => {
  expect(formDetails(new Map())).toEqual({ resizeTo: null, metadata: null, takenAt: null })
  expect(formDetails(new Map([['taken_at', 'yesterday']])).takenAt).toBeNull()
})

test('accepts sizes as digit strings and treats an empty size as absent', () => {
  const sizeIn = (text: string) => formDetails(new Map([['resize_to', text]])).resizeTo

  expect(sizeIn('{"width": "20", "height": 32}')).toEqual({ width: 20, height: 32 })
  expect(sizeIn('')).toBeNull()
})

test.each([
  '[64, 32]',
  '{"width": 64}',
  '{"width": "", "height": 32}',
  '{"width": "2e1", "height": 32}',
  'null',
  'nonsense',
])('refuses the size %s', (text) => {
  expect(() => formDetails(new Map([['resize_to', text]]))).toThrow(
    'Invalid resize_to format or size',
  )
})
