import { expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'

test.each<[string, string[]]>([
  ['', []],
  ['castle', ['"castle"*']],
  ['castle  sea', ['"castle"*', '"sea"*']],
  ['by a', ['"by"', '"a"']],
  ['"by the sea"', ['"by the sea"']],
  ['"by the', ['"by the"']],
  ['flux-dev', ['"flux-dev"*']],
  ['v1.5', ['"v1.5"']],
  ['castle,', ['"castle,"']],
  ['a"b"c', ['"a"', '"b"', '"c"']],
  ['夜景', ['" 夜  景 "']],
  ['% _ * "" "-"', []],
  ['NOT OR', ['"NOT"*', '"OR"']],
  ['nul\0byte', ['"nul"*', '"byte"*']],
])('%j becomes %j', (query, expressions) => {
  expect(parseQuery(query)).toEqual(expressions)
})

test('beyond 32 words no more are looked for', () => {
  expect(parseQuery('word '.repeat(100))).toHaveLength(32)
})
