import { expect, test } from 'vitest'
import { promptWords } from './prompt-words.ts'

test.each([
  ['A castle, a CASTLE and the Sea', ['castle', 'sea']],
  ['(masterpiece:1.2), best-quality, 8k, 1girl', ['masterpiece', 'best', 'quality', '1girl']],
  ['castle <lora:film_grain:0.8> at dawn', ['castle', 'dawn']],
  ['Schloß über Übersee', ['schloß', 'über', 'übersee']],
  ['замок у моря', ['замок', 'моря']],
  ['夜景の写真', ['夜景', '写真']],
  ['a, b: 1234 5.5 -- 🦊', []],
  ['', []],
])('finds the words of %j', (prompt, words) => {
  expect([...promptWords(prompt)]).toEqual(words)
})
