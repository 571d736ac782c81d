import { expect, test } from 'vitest'
import { isJson, parseJson } from './parse-json.ts'

test.each([
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/vnd.api+json', true],
  ['text/plain', false],
  ['application/jsonp', false],
  [undefined, false],
])('checks whether %s is JSON: %s', (type, value) => {
  expect(isJson(type)).toBe(value)
})

test('reads an empty body as absent', () => {
  expect(parseJson('')).toBeUndefined()
})

test('skips a byte order mark before the body', () => {
  expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 })
  expect(parseJson('\ufeff')).toBeUndefined()
})

test.each([
  ['{"a": }', 6],
  ['{"image_names": ["a", "b",]}', 26],
  ['{"a": 1', 7],
  ['nonsense', 1],
  ['{a: 1}', 1],
])('finds the fault of %s at %d', (text, offset) => {
  expect(() => parseJson(text)).toThrow(
    expect.objectContaining({
      faults: [expect.objectContaining({ type: 'json_invalid', loc: ['body', offset], input: {} })],
    }),
  )
})
