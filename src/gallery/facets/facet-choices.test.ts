import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSearch } from '#contract/search/parse-search.ts'
import { roundsOf } from '#testing/rounds.ts'
import {
  choicesIn,
  type FacetChoice,
  isSameValue,
  withoutChoices,
  withToggled,
} from './facet-choices.ts'
import { type SectionKey, sectionKeys } from './facet-sections.ts'

const included = (key: SectionKey, value: string): FacetChoice => ({
  ...{ key, value, isExcluded: false },
})
const excluded = (key: SectionKey, value: string): FacetChoice => ({
  ...{ key, value, isExcluded: true },
})

test.each<[string, FacetChoice, string]>([
  ['', included('model', 'flux1-dev'), 'model=flux1-dev'],
  ['castle', included('model', 'Dream Shaper XL'), 'castle model="Dream Shaper XL"'],
  ['model=a', included('model', 'b'), '(model=a OR model=b)'],
  ['x (model=a OR model=b) y', included('model', 'c d'), 'x (model=a OR model=b OR model="c d") y'],
  ['x (model=a OR model=b) y', included('model', 'a'), 'x model=b y'],
  ['x (model=a) y', included('model', 'a'), 'x y'],
  ['model="Flux1 Dev"', included('model', 'flux1-dev'), ''],
  ['model=a', excluded('model', 'a'), '-model=a'],
  ['-model=a', excluded('model', 'b'), '-model=a -model=b'],
  ['-model=a castle', excluded('model', 'a'), 'castle'],
  ['-(model=a OR model=b)', excluded('model', 'b'), '-model=a'],
  ['-model=a', included('model', 'a'), 'model=a'],
  ['size:1024x768 steps>20', included('size', '1024x768'), 'steps>20'],
  ['size:1024x768', included('size', '640x480'), '(size:1024x768 OR size:640x480)'],
  ['', included('month', '2026-05'), 'date:2026-05'],
  ['date:2026-05', included('month', '2026-05'), ''],
  ['shape:square', included('shape', 'portrait'), '(shape:square OR shape:portrait)'],
  ['"wide shot', included('type', 'png'), 'type:png "wide shot'],
  ['castle OR', included('type', 'png'), 'type:png castle OR'],
  ['', included('board', 'Say "hi"'), 'board="Say  hi"'],
])('turns %j into another search by one click', (query, choice, expected) => {
  expect(withToggled(query, choice)).toBe(expected)
})

test('knows which values a search includes and excludes', () => {
  expect(
    choicesIn('castle (model=a OR model="b c") -lora=x size:10x20 -(type:png OR type:jpg)'),
  ).toEqual([
    included('model', 'a'),
    included('model', 'b c'),
    excluded('lora', 'x'),
    included('size', '10x20'),
    excluded('type', 'png'),
    excluded('type', 'jpg'),
  ])
  const others =
    'model:flux (model=a OR lora=b) steps>20 date:2026 date:2026-05-03 width:100 a OR b'
  expect(choicesIn(others)).toEqual([])
})

test('removes all values and leaves the other conditions', () => {
  expect(withoutChoices('castle (model=a OR model=b) steps>20 -lora=x size:1x2 "b c"')).toBe(
    'castle steps>20 "b c"',
  )
})

const values: Readonly<Record<SectionKey, readonly string[]>> = {
  model: ['flux1-dev', 'Dream Shaper XL', 'a (b)', 'c"d'],
  lora: ['Film Grain', 'OR', '-x'],
  sampler: ['euler', 'dpmpp_2m'],
  scheduler: ['karras'],
  generator: ['comfyui', 'a1111'],
  shape: ['square', 'portrait'],
  size: ['1024x1024', '640x480'],
  type: ['png', 'jpg'],
  month: ['2026-05', '2025-12'],
  rating: ['0', '5'],
  tag: ['keep', 'people/anna', 'a (b)', 'C#', 'C', 'c"d'],
  board: ['Best of', 'Clients/Acme'],
  camera: ['SONY ILCE-7M3'],
}
const anyChoice = fc.constantFrom(...sectionKeys).chain((key) =>
  fc.record({
    key: fc.constant(key),
    value: fc.constantFrom(...values[key]),
    isExcluded: fc.boolean(),
  }),
)
const anyQuery = fc
  .array(
    fc.constantFrom(
      ...[
        'castle',
        '"wide shot"',
        '"open',
        '(',
        ')',
        '-',
        'OR',
        'steps>20',
        'steps>x',
        'model:flux',
      ],
      ...['(model=a OR model=b)', '-model=a', '-(lora=a OR lora=b)', 'size:1x2', 'date:2026-05'],
      ...['is:starred', '(a OR b)', '((model="a b"))', 'type:png'],
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(' '))

/** Returns the parts of a search that are no choices, without their places. */
const restOf = (query: string): string =>
  JSON.stringify(parseSearch(withoutChoices(query)).terms, (name, value) =>
    name === 'start' || name === 'end' ? undefined : value,
  )

test('changes one value and nothing else, in any search', () => {
  fc.assert(
    fc.property(anyQuery, anyChoice, (query, choice) => {
      const isIn = (text: string) =>
        choicesIn(text).some(
          (each) => isSameValue(each, choice) && each.isExcluded === choice.isExcluded,
        )
      const changed = withToggled(query, choice)

      expect(isIn(changed)).toBe(!isIn(query))
      expect(restOf(changed)).toBe(restOf(query))
    }),
    { numRuns: roundsOf({ usual: 300, all: 3_000 }) },
  )
})
