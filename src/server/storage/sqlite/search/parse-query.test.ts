import { expect, test } from 'vitest'
import { parseQuery, type Word } from '#server/storage/sql/search/parse-query.ts'
import { fts5Of } from './fts5-of.ts'

const imageWords = (words: readonly Word[] | null) =>
  words?.map(({ image }) => fts5Of(image)) ?? null

test.each<[query: string, words: string[], wordsBeforeLast: string[] | null]>([
  ['', [], null],
  ['castle', ['"castle"*'], null],
  ['castle  sea', ['"castle"*', '"sea"*'], null],
  ['by a', ['"by"', '"a"'], ['"by"']],
  ['by a ', ['"by"', '"a"'], null],
  ['ca', ['"ca"'], []],
  ['"by the sea"', ['"by the sea"'], null],
  ['"by the', ['"by the"*'], null],
  ['"by th', ['"by th"'], ['"by"']],
  ['flux-dev', ['"flux dev"*'], null],
  ['v1.5', ['"v1 5"'], ['"v1"']],
  ['castle,', ['"castle"*'], null],
  ['castle, sea', ['"castle"', '"sea"*'], null],
  ['a"b"c', ['"a"', '"b"', '"c"'], ['"a"', '"b"']],
  ['夜景', ['"夜 景"'], null],
  ['% _ * "" "-"', [], null],
  ['NOT OR', ['"NOT"*', '"OR"'], ['"NOT"*']],
  ['nul\0byte', ['"nul"*', '"byte"*'], null],
  ['ComfyUI_0', ['"ComfyUI 0"'], ['"ComfyUI"']],
  ['Juggernaut XL v', ['"Juggernaut"*', '"XL"', '"v"'], ['"Juggernaut"*', '"XL"']],
  ['1344x768', ['("1344x768"* OR (parameters : ("1344 768")))'], ['"1344"']],
  ['dpm++', ['("dpm"* OR "dpmpp"*)'], null],
  ['dpm++ 2m ', ['("dpm" OR "dpmpp"*)', '"2m"'], null],
  ['cfg 6.5 ', ['(("cfg"* AND "6 5") OR (parameters : ("6 5")))'], null],
  ['cfg 7.0 ', ['(("cfg"* AND "7 0") OR (parameters : ("7")))'], null],
  ['castle cfg', ['"castle"*', '"cfg"*'], ['"castle"*']],
  ['castle cfg 6', ['"castle"*', '(("cfg"* AND "6") OR (parameters : ("6")))'], ['"castle"*']],
])('parses %j to %j, or %j without its last word', (query, words, wordsBeforeLast) => {
  const parsed = parseQuery(query)

  expect(imageWords(parsed.words)).toEqual(words)
  expect(imageWords(parsed.wordsBeforeLast)).toEqual(wordsBeforeLast)
})

test('treats a symbol as a text but not as a word', () => {
  expect(parseQuery('🦊')).toEqual({ words: [], wordsBeforeLast: null, texts: ['🦊'] })
})

test('ignores words after the 32nd', () => {
  expect(parseQuery('word '.repeat(100)).words).toHaveLength(32)
})
