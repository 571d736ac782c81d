import { expect, test } from 'vitest'
import { outputOf } from '#testing/local-nodes.ts'

test.each([
  ['string_join', { string_left: 'a', string_right: 'b' }, { value: 'ab' }],
  [
    'string_join_three',
    { string_left: 'a', string_middle: '-', string_right: 'b' },
    { value: 'a-b' },
  ],
  ['string_split', { string: 'a, b, c', delimiter: ', ' }, { string_1: 'a', string_2: 'b, c' }],
  ['string_split', { string: 'abc', delimiter: ',' }, { string_1: 'abc', string_2: '' }],
  [
    'string_split_neg',
    { string: 'a cat [blurry] asleep [dark]' },
    { positive_string: 'a cat  asleep ', negative_string: ' blurry dark' },
  ],
  [
    'string_split_neg',
    { string: 'a [b [c] d] e' },
    { positive_string: 'a  e', negative_string: ' b  c d' },
  ],
  [
    'string_split_neg',
    { string: 'a \\[b\\] c' },
    { positive_string: 'a \\[b\\] c', negative_string: '' },
  ],
])('%s of %j', async (type, inputs, output) => {
  expect(await outputOf(type, inputs)).toMatchObject(output)
})

test.each([
  ['text regardless of its case', 'Cat, cat', 'CAT', 'dog', false, 'dog, dog'],
  ['special characters literally', 'a.b axb', 'a.b', '', false, ' axb'],
  ['with a literal dollar sign', 'cost', 'cost', '$1 $&', false, '$1 $&'],
  ['nothing for an empty search text', 'abc', '', 'x', false, 'abc'],
  ['a pattern with regard to its case', 'Cat cat', 'c(a)t', 'd\\1', true, 'Cat da'],
  ['a pattern with a flag', 'Cat cat', '(?i)cat', 'x', true, 'x x'],
  [
    'named groups in the syntax of Python',
    'ab',
    '(?P<x>a)(?P<y>b)',
    '\\g<y>\\g<x>\\g<1>',
    true,
    'baa',
  ],
  ['escapes in the replacement', 'a', 'a', '\\n\\\\', true, '\n\\'],
  ['an unmatched group with an empty text', 'b', '(a)?b', '[\\1]', true, '[]'],
  ['an emoji as one character', '🦊🦊', '.', 'x', true, 'xx'],
  ['an escape that is invalid with the u flag', 'a-b', '\\-', '+', true, 'a+b'],
])(
  'string_replace replaces %s',
  async (_name, string, search_string, replace_string, use_regex, value) => {
    const inputs = { string, search_string, replace_string, use_regex }

    expect((await outputOf('string_replace', inputs)).value).toBe(value)
  },
)

test.each([
  ['string_split', { string: 'a' }, 'empty separator'],
  ['string_replace', { search_string: '(', use_regex: true }, 'no regular expression'],
  [
    'string_replace',
    { string: 'a', search_string: 'a', replace_string: '\\1', use_regex: true },
    'invalid group reference 1',
  ],
])('%s of %j fails: %s', async (type, inputs, message) => {
  await expect(outputOf(type, inputs)).rejects.toThrow(message)
})
